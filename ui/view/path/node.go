package path

import "rvtui/scenarios"

// Question is something that the apiserver decides on a request's way.
type Question string

// The questions of a write, in the order in which they are asked.
const (
	Decode     Question = "decode"     // can the request be read?
	RVOnCreate Question = "rvOnCreate" // create: does it carry a resourceVersion?
	Find       Question = "find"       // delete: the object, read from etcd first
	Current    Question = "current"    // where does the current object come from?
	UID        Question = "uid"        // is it the object that the request means?
	Patch      Question = "patch"      // can the patch be applied to the current object?
	Owners     Question = "owners"     // apply: do other managers own a field that it changes?
	Admit      Question = "admit"      // mutating admission: it may refuse, or change the object
	RVGiven    Question = "rvGiven"    // does the request carry a resourceVersion?
	RVEqual    Question = "rvEqual"    // is it the stored one's?
	Reread     Question = "reread"     // the object again, from etcd: the copy may have been old
	Valid      Question = "valid"      // do validation and validating admission let it pass?
	Change     Question = "change"     // would anything change?
	Finalizers Question = "finalizers" // delete: does something have to be done before?
	DryRun     Question = "dryRun"     // is it to be stored at all?
	Txn        Question = "txn"        // etcd's compare-and-write
	Taken      Question = "taken"      // create, dry run: is the name taken?
)

// The questions of a read.
const (
	Ready    Question = "ready"    // is there a watch cache that can answer?
	Which    Question = "which"    // which state of the store does the request ask for?
	Head     Question = "head"     // a consistent list: the newest revision, asked of etcd
	Fresh    Question = "fresh"    // has the watch cache got that far?
	Snapshot Question = "snapshot" // does the watch cache have a snapshot of exactly that revision?
	Etcd     Question = "etcd"     // read from etcd
	Cache    Question = "cache"    // read from the watch cache
	History  Question = "history"  // a watch: does the cache's history reach back that far?
)

// Answer is a branch: what a question came to.
type Answer string

// The answers. Which of them a question can have is in its text.
const (
	Yes         Answer = "yes"
	No          Answer = "no"
	Passed      Answer = "passed"
	Refused     Answer = "refused"
	FromCache   Answer = "cache"
	FromEtcd    Answer = "etcd"
	Missing     Answer = "missing"
	Stale       Answer = "stale" // on the cached copy: no; a second look is due
	Given       Answer = "given"
	None        Answer = "none"
	Succeeded   Answer = "succeeded"
	Lost        Answer = "lost"
	TimedOut    Answer = "timedOut"
	Waited      Answer = "waited"
	Compacted   Answer = "compacted"
	Newest      Answer = "newest" // the most recent state: a consistent read
	Any         Answer = "any"    // resourceVersion=0: whatever the cache has
	NotOlder    Answer = "notOlder"
	Exact       Answer = "exact"
	DryRead     Answer = "dryRead"     // a dry run reads it from etcd
	SingleExact Answer = "singleExact" // exact, of one name: never the cache
	NextPage    Answer = "nextPage"    // a continue token
	NewestPage  Answer = "newestPage"  // a continue token without a revision: of the most recent state
	Already     Answer = "already"     // a deletion of what is being deleted: nothing is left to do
	Ahead       Answer = "ahead"       // a watch: nothing is as new as that yet
	Unclear     Answer = ""            // not reached, or not observed
)

// Reached says how much is known of a question.
type Reached int

// From best to least known.
const (
	Seen        Reached = iota // an RPC or a span shows it
	Follows                    // it follows from the request and its answer
	NotObserved                // it was asked, or may have been; nothing in the trace shows what came of it
	NotReached                 // the request was answered before
)

// Node is a question with what came of it.
type Node struct {
	Question Question
	Answer   Answer
	Reached  Reached
	Round    int     // of the write's loop, from 1; 0 outside of it
	Sent     string  // the resourceVersion that the request carries
	Revision int64   // the revision that the answer is about: the stored one, the one written, the one waited for
	Writes   string  // of a Txn: put or delete
	Made     bool    // the write creates the object
	Ms       float64 // how long it took; negative where that is not known
	Ends     bool    // the request's answer was decided here
}

// Path is the way of one exchange.
type Path struct {
	Nodes  []Node
	Rounds int               // of the write's loop
	Spans  []*scenarios.Span // that prove it, in order of time
	RPCs   []int             // the RPCs that do, indexes into the observation's
	// Complete says that every RPC is known, so that none is a fact too.
	Complete bool
}

// Known reports whether there is a path for the request at all.
func (p *Path) Known() bool { return len(p.Nodes) > 0 }

// At is the last node with a question; ok is false where there is none.
func (p *Path) At(q Question) (node Node, ok bool) {
	for i := len(p.Nodes) - 1; i >= 0; i-- {
		if p.Nodes[i].Question == q {
			return p.Nodes[i], true
		}
	}
	return Node{}, false
}

// End is the node where the answer was decided; ok is false where that is not known.
func (p *Path) End() (node Node, ok bool) {
	for _, n := range p.Nodes {
		if n.Ends {
			return n, true
		}
	}
	return Node{}, false
}
