package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// What a cluster gives no evidence of is unknown to expressions, as CEL means it: what rests
// on it is neither true nor false, unless the rest of the expression decides. Nothing is
// concluded from an empty list of RPCs where nobody recorded any.

// unseen is the value of what would need a capability.
func unseen(capability string) ref.Val {
	return types.NewUnknown(0, types.NewAttributeTrail(capability))
}

// lackOf are the capabilities that an unknown value would need; nil for any other value.
func lackOf(value ref.Val) []string {
	unknown, ok := value.(*types.Unknown)
	if !ok {
		return nil
	}
	var lack []string
	for _, id := range unknown.IDs() {
		trails, _ := unknown.GetAttributeTrails(id)
		for _, trail := range trails {
			lack = union(lack, trail.Variable())
		}
	}
	slices.Sort(lack)
	return lack
}

// sight is what can be seen on a cluster: its capabilities. A trace that says nothing of them
// is one of the embedded control plane, which has all.
type sight struct{ can []string }

func (s sight) sees(capability string) bool {
	return s.can == nil || slices.Contains(s.can, capability)
}

// Sees reports whether the cluster gave a kind of evidence, by the capability that it takes.
// Where it did not, nothing can be concluded from there being none in the trace.
func (t *Trace) Sees(capability string) bool { return sight{t.Can}.sees(capability) }

// or is a value, or the unknown one where it would need a capability that there is not.
func (s sight) or(capability string, value any) any {
	if s.sees(capability) {
		return value
	}
	return unseen(capability)
}

// told is a number that etcd alone tells: 0 is none of its numbers.
func told(n int64) any {
	if n == 0 {
		return unseen(CapabilityEtcdRead)
	}
	return n
}

// version is a key's, which not everything that serves etcd's API counts.
func (s sight) version(n int64) any {
	if n == 0 && s.sees(CapabilityEtcdRead) {
		return unseen(CapabilityEtcdVersion)
	}
	return told(n)
}

// older reports whether a server's version is before another one: "1.35.4" is before "1.36".
func older(server, since string) bool {
	for i, part := range strings.Split(since, ".") {
		want, _ := strconv.Atoi(part)
		parts := strings.Split(strings.TrimPrefix(server, "v"), ".")
		if i >= len(parts) {
			return want > 0
		}
		digits := parts[i]
		if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			digits = digits[:end]
		}
		got, err := strconv.Atoi(digits)
		switch {
		case err != nil:
			return false // it does not say
		case got != want:
			return got < want
		}
	}
	return false
}
