package sources

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"rvtui/scenarios"
)

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// identity is what tells an object of one cluster from that of the same name of another.
type identity struct {
	uid      string // "" where it cannot be read
	revision int64
}

// errNotSeen says that an identity cannot be looked at: it is no reason to refuse a source.
var errNotSeen = errors.New("the namespace cannot be read")

// BelongsTo asks whether this is the etcd of an apiserver: two clusters have a namespace default
// each, with a UID of its own. Who may not read that has the walk's own namespace compared, once
// there is one. The error is one line for a person.
func (e *Endpoints) BelongsTo(ctx context.Context, config *rest.Config, prefix string) error {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	config = rest.CopyConfig(config)
	config.UserAgent = "rvtui"
	config.WarningHandler, config.WarningHandlerWithContext = rest.NoWarnings{}, nil
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making a client of the apiserver: %w", err)
	}
	served := func(ctx context.Context, name string) (identity, error) {
		found, err := client.Resource(namespaces).Get(ctx, name, metav1.GetOptions{})
		switch {
		case apierrors.IsForbidden(err), apierrors.IsNotFound(err):
			return identity{}, errNotSeen
		case err != nil:
			return identity{}, err
		}
		return identity{string(found.UID), scenarios.ParseRevision(found.ResourceVersion)}, nil
	}
	err = e.same(ctx, served, Etcd{Prefix: prefix}.prefix(), metav1.NamespaceDefault)
	if errors.Is(err, errNotSeen) {
		e.served = served
		return nil
	}
	return err
}

// same compares a namespace as it is served with what etcd has.
func (e *Endpoints) same(ctx context.Context, served func(context.Context, string) (identity, error), prefix, name string) error {
	for attempt := 0; ; attempt++ {
		is, err := served(ctx, name)
		if err != nil {
			return err
		}
		stored, err := e.identity(ctx, namespaceKey(prefix, name))
		switch {
		case err != nil:
			return err
		case stored.uid != "" && stored.uid != is.uid:
			return fmt.Errorf("this is not the etcd of that cluster: its namespace %s has another UID", name)
		case stored.uid != "" || stored.revision == is.revision:
			return nil
		case attempt > 0: // it may have been written to in between, once
			return fmt.Errorf("this is not the etcd of that cluster: its namespace %s has another mod_revision, %d, than the object's resourceVersion, %d", name, stored.revision, is.revision)
		}
	}
}

// identity reads a key's. A value that is encrypted tells no UID.
func (e *Endpoints) identity(ctx context.Context, key string) (identity, error) {
	response, err := e.Client.Get(ctx, key)
	if err != nil {
		return identity{}, fmt.Errorf("reading %s: %w", key, err)
	}
	if len(response.Kvs) != 1 {
		return identity{}, noSuchKey(key)
	}
	return identity{uidIn(response.Kvs[0].Value), response.Kvs[0].ModRevision}, nil
}

// uidIn is a stored object's UID; "" for what cannot be read.
func uidIn(value []byte) string {
	var object runtime.Object
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(value, nil, nil)
	if err != nil {
		object, _, err = unstructured.UnstructuredJSONScheme.Decode(value, nil, nil)
	}
	if err != nil {
		return ""
	}
	about, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	return string(about.GetUID())
}
