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
