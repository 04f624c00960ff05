package cluster

import (
	"bytes"
	"encoding/json"

	"k8s.io/client-go/kubernetes/scheme"
)

// protobufMagic begins each protobuf value that the apiserver stores:
// k8s.io/apimachinery/pkg/runtime/serializer/protobuf.
var protobufMagic = []byte("k8s\x00")

// storedObject is a stored value as JSON: the object as it is in etcd, without the
// resourceVersion, which is not stored. It is nil for what cannot be read (an encrypted
// value, an unknown kind) and for every Secret.
func storedObject(value []byte) json.RawMessage {
	if bytes.HasPrefix(value, protobufMagic) {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(value, nil, nil)
		if err != nil {
			return nil
		}
		if value, err = json.Marshal(object); err != nil {
			return nil
		}
	}
	var kind struct {
		Kind string `json:"kind"`
	}
	value = bytes.TrimSpace(value)
	if json.Unmarshal(value, &kind) != nil || kind.Kind == "Secret" {
		return nil
	}
	return json.RawMessage(bytes.Clone(value))
}

// encryptedPrefix begins each value that the apiserver encrypted; the provider's name follows:
// k8s.io/apiserver/pkg/server/options/encryptionconfig.
var encryptedPrefix = []byte("k8s:enc:")

// unreadable says why a stored value cannot be read; it is empty where nothing is in the way.
func unreadable(value []byte) string {
	rest, ok := bytes.CutPrefix(value, encryptedPrefix)
	if !ok {
		return ""
	}
	const longest = 40 // of a provider's name, and far more than there is
	provider, _, ok := bytes.Cut(rest[:min(len(rest), longest)], []byte(":"))
	if !ok || len(provider) == 0 || bytes.ContainsFunc(provider, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "encrypted"
	}
	return "encrypted by " + string(provider)
}
