package cluster

import (
	"encoding/base64"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
)

// credentials are those that the program uses, as far as it has met them: those of its
// configuration, and those that were seen on the way to the apiserver. What a program, a file
// or an OpenID Connect provider gives to client-go is seen nowhere else.
type credentials struct {
	mu    sync.Mutex
	known []string // the longest first: one may be a part of another
}

func newCredentials(known ...string) *credentials {
	c := &credentials{}
	c.add(known...)
	return c
}

// credentialsOf are those that a configuration has in it.
func credentialsOf(config *rest.Config) *credentials {
	c := newCredentials(config.BearerToken, config.Password)
	if config.AuthProvider != nil {
		for _, name := range []string{"id-token", "refresh-token", "access-token", "client-secret"} {
			c.add(config.AuthProvider.Config[name])
		}
	}
	return c
}

func (c *credentials) add(credentials ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, credential := range credentials {
		if credential == "" || slices.Contains(c.known, credential) {
			continue
		}
		known := append(slices.Clone(c.known), credential) // what all has handed out stays as it is
		slices.SortStableFunc(known, func(a, b string) int { return len(b) - len(a) })
		c.known = known
	}
}

// shortest is the length in bytes of what is taken for a credential where it is seen: less
// hides nothing, and would be in any text.
const shortest = 4

// see takes what is in an Authorization header.
func (c *credentials) see(authorization string) {
	scheme, credential, _ := strings.Cut(authorization, " ")
	credential = strings.TrimSpace(credential)
	if len(credential) >= shortest {
		c.add(credential)
	}
	if !strings.EqualFold(scheme, "basic") {
		return
	}
	if decoded, err := base64.StdEncoding.DecodeString(credential); err == nil {
		if _, password, _ := strings.Cut(string(decoded), ":"); len(password) >= shortest {
			c.add(password)
		}
	}
}

func (c *credentials) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}
