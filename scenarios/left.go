package scenarios

import (
	"fmt"
	"strings"
)

// LeftError says what a walk has left on the cluster, and what to do about it.
type LeftError struct {
	Namespace string
	Given     bool   // the namespace stays anyway; what is left is in it
	Another   bool   // the walk's own is gone, and somebody made another one of its name
	Clean     string // the command that removes it
	Why       error
}

// Error is one line.
func (e *LeftError) Error() string {
	why := strings.ReplaceAll(e.Why.Error(), "\n", "; ")
	if e.Another {
		return fmt.Sprintf("namespace %s is another one than the walk's, made under its name by somebody: nothing in it was touched: %s", e.Namespace, why)
	}
	if e.Given {
		return fmt.Sprintf("something of the walk's may be left in namespace %s; `%s` removes what it knows of: %s", e.Namespace, e.Clean, why)
	}
	return fmt.Sprintf("namespace %s is left on the cluster; `%s` removes it: %s", e.Namespace, e.Clean, why)
}

// Unwrap is why.
func (e *LeftError) Unwrap() error { return e.Why }
