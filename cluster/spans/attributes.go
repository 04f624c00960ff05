package spans

import "go.opentelemetry.io/otel/attribute"

// kept are the attributes that are kept, of spans and of events: what was asked of the
// storage, and what came of it, in keys, numbers and names. None can hold a stored value or
// a credential, but for the errors: those of the API quote what they are about, which is
// for the caller to hide. Left out is what an exchange tells anyway (method, path, client),
// and what is said of the program rather than of the request (encoder, writer, audit-id).
var kept = map[attribute.Key]bool{
	// k8s.io/apiserver/pkg/storage/etcd3, store.go; the key is without the store's prefix
	"key":                  true,
	"type":                 true, // the Go type, and in the cacher the resource
	"resourceVersion":      true,
	"resourceVersionMatch": true,
	"limit":                true,
	"len":                  true, // bytes that were encoded, decoded or read
	"err":                  true,
	// k8s.io/apiserver/pkg/storage/cacher, cacher.go and watch_cache.go
	"resource-version": true,
	"count":            true, // of objects
	"index":            true,
	"error":            true,
	// k8s.io/apiserver/pkg/endpoints/handlers, trace_util.go and responsewriters/writers.go
	"resource":    true,
	"subresource": true,
	"verb":        true, // APPLY is told from PATCH, LIST from GET
	"size":        true, // bytes of the answer
}

// keep is what is kept of attributes; nil where that is nothing. An empty one says nothing.
func keep(attributes []attribute.KeyValue) map[string]string {
	var result map[string]string
	for _, a := range attributes {
		value := a.Value.String()
		if !kept[a.Key] || value == "" {
			continue
		}
		if result == nil {
			result = map[string]string{}
		}
		result[string(a.Key)] = value
	}
	return result
}
