package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"rvtui/cluster/journal"
)

// identify notes which cluster it is, where that may be known: another one may be at the same
// address by the time of a clean-up. A user who has rights in one namespace only knows that one.
func (c *Cluster) identify(ctx context.Context) error {
	if c.config.Journal == nil || c.config.Journal.Knows() {
		return nil
	}
	for _, name := range []string{metav1.NamespaceSystem, metav1.NamespaceDefault, c.config.Namespace} {
		if name == "" {
			continue
		}
		identity := journal.Identity{Namespace: name}
		err := briefly(ctx, func(ctx context.Context) error {
			namespace, err := c.names.Resource(namespaces).Get(ctx, name, metav1.GetOptions{})
			if err == nil {
				identity.UID = string(namespace.UID)
			}
			return err
		})
		if err == nil && identity.UID != "" {
			return c.config.Journal.On(identity)
		}
	}
	return nil // what it notes is not crossed out, but for what goes by its UID
}
