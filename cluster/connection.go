package cluster

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"

	"k8s.io/client-go/rest"

	"rvtui/scenarios"
)

// connection is how an actor's clients reach the apiserver. client-go keeps one transport
// for each TLS configuration; that B's says what client-go offers anyway gives B a
// connection that is not A's.
func (c *Cluster) connection(actor scenarios.Actor) *rest.Config {
	config := quiet(c.config.REST)
	config.UserAgent = fieldManager(actor)
	config.Timeout = 0 // it would be a part of each request's URL, and end watches
	if actor == scenarios.B && config.NextProtos == nil {
		config.NextProtos = []string{"h2", "http/1.1"}
	}
	return config
}

// connect sees to it that the actors' connections are there, so that no request of a step
// waits for one: a connection that nobody used for a while is closed. Nothing of it is
// recorded, and what is answered does not matter.
func (c *Cluster) connect(ctx context.Context, actors ...scenarios.Actor) error {
	slices.Sort(actors)
	for _, actor := range slices.Compact(actors) {
		config := c.connection(actor)
		config.UserAgent = "rvtui"
		client, err := rest.HTTPClientFor(config)
		if err != nil {
			return fmt.Errorf("making a client for %s: %w", actor, err)
		}
		base, _, err := rest.DefaultServerUrlFor(config)
		if err != nil {
			return fmt.Errorf("reading the apiserver's address: %w", err)
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("version").String(), nil)
		if err != nil {
			return fmt.Errorf("connecting %s: %w", actor, err)
		}
		response, err := client.Do(request)
		if err != nil {
			return fmt.Errorf("connecting %s: %w", actor, err)
		}
		_, err = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if err != nil {
			return fmt.Errorf("connecting %s: %w", actor, err)
		}
	}
	return nil
}
