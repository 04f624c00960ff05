package cluster

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/scenarios"
)

// Store is where the evidence on etcd comes from: etcd itself, etcdctl in etcd's own pod, or
// the API alone. It only reads.
type Store interface {
	// Source names it, as the etcd pane shows it: "etcd client".
	Source() string
	// Follow begins to read revisions, from the newest one on.
	Follow(ctx context.Context, room Room) (Follower, error)
	// Key is what the store holds at a key at a revision, 0 for the newest. Etcd's refusal is
	// an error (a compacted revision, for one).
	Key(ctx context.Context, key string, revision int64) (KeyState, error)
}

// Room is where a walk takes place, for a store that must know.
type Room struct {
	Namespace string
	Prefix    string // of the apiserver's keys
}

// Follower reads the revisions of the store, one after the other.
type Follower interface {
	// Next is what changed since the call before, up to the newest revision, and what else
	// is known of the store. kinds are those that the walk has named, and answers what its
	// last step was answered: a source that cannot see the whole store looks there.
	Next(ctx context.Context, kinds []schema.GroupVersionResource, answers []scenarios.Exchange) (Since, error)
	// Stop ends it; Next is not called any more.
	Stop()
}

// Since is what a Follower read.
type Since struct {
	Changes   []Change
	Head      int64 // the newest revision
	Compacted int64 // revisions below this one are gone; 0 if none are, or if nobody knows
	// CompactedUnknown says that nobody could find out which are gone.
	CompactedUnknown bool
}

// Change is one key's change in one revision. What the source cannot tell is 0.
type Change struct {
	Revision       int64 // which is the key's mod_revision
	Delete         bool
	Key            string
	CreateRevision int64
	Version        int64
	Value          []byte // as stored, or the object as JSON; nil for a deletion
}

// KeyState is what the store says of a key.
type KeyState struct {
	Head                                 int64 // the store's revision in the answer's header
	Count                                int64 // of keys: 0 where there is none
	CreateRevision, ModRevision, Version int64 // of the key, if there is one
}
