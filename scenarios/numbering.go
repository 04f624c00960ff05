package scenarios

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// numbering gives what differs from run to run a number. It goes through a trace twice: first
// to know all revisions and times, for their numbers are by order, then to replace them.
type numbering struct {
	namespace string
	revisions map[int64]bool
	compacted map[int64]bool
	others    map[int64]bool     // numbers that something else than a revision has
	times     map[time.Time]bool // points in time
	ordered   map[int64]int64    // the revisions' numbers; nil the first time
	clock     map[time.Time]int  // the times' numbers
	ids       map[string]string  // uids and other UUIDs
	traceIDs  map[string]string
	spans     int
}

func newNumbering(namespace string) *numbering {
	return &numbering{
		namespace: namespace, revisions: map[int64]bool{}, compacted: map[int64]bool{}, others: map[int64]bool{}, times: map[time.Time]bool{},
		ids: map[string]string{}, traceIDs: map[string]string{},
	}
}

// order ends the first time through.
func (n *numbering) order() {
	oldest := int64(math.MaxInt64)
	for revision := range n.revisions {
		oldest = min(oldest, revision)
	}
	for revision := range n.compacted {
		if revision >= oldest {
			n.revisions[revision] = true
		}
	}
	n.ordered, n.clock = map[int64]int64{}, map[time.Time]int{}
	for i, revision := range slices.Sorted(maps.Keys(n.revisions)) {
		n.ordered[revision] = int64(i + 1)
	}
	for i, at := range slices.SortedFunc(maps.Keys(n.times), time.Time.Compare) {
		n.clock[at] = i
	}
	n.spans = 0
}

// revision is an etcd revision; 0 is none, and a negative one the file's own affair.
func (n *numbering) revision(r int64) int64 {
	switch {
	case r <= 0:
		return r
	case n.ordered == nil:
		n.revisions[r] = true
		return r
	}
	return n.ordered[r]
}

// compaction is a revision that etcd was compacted at: one before all revisions that the trace
// names took nothing of them, and is by chance there or not.
func (n *numbering) compaction(r int64) int64 {
	if n.ordered == nil {
		n.compacted[r] = true
		return r
	}
	return n.ordered[r]
}

func (n *numbering) other(numbers ...int64) {
	for _, number := range numbers {
		n.others[number] = true
	}
}

var (
	namesRevision = regexp.MustCompile(`(?i)resource ?-?version|revision`)
	versionPath   = regexp.MustCompile(`/resourceVersion$`)

	uuid     = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	instant  = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	port     = regexp.MustCompile(`(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b`)
	longID   = regexp.MustCompile(`\b[0-9a-f]{32}\b`)
	inQuery  = regexp.MustCompile(`\b((?:resourceVersion|rv)=)(\d+)\b`)
	inJSON   = regexp.MustCompile(`("resourceVersion"\s*:\s*")(\d+)(")`)
	inTokens = regexp.MustCompile(`\b(continue=)([A-Za-z0-9_%-]+)`)

	// parent is a W3C traceparent: version, trace, span, flags.
	parent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$`)
)

// normalDate is a Date header's, and the first point in time is the same one.
const normalDate = "Sat, 01 Jan 2000 00:00:00 GMT"

var firstInstant = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// plain is any text: what can be told from other things by how it looks is numbered.
func (n *numbering) plain(s string) string {
	if len(s) < 3 {
		return s
	}
	if n.namespace != "" {
		s = strings.ReplaceAll(s, n.namespace, DemoNamespace)
	}
	s = uuid.ReplaceAllStringFunc(s, func(id string) string {
		if n.ids[id] == "" {
			n.ids[id] = fmt.Sprintf("00000000-0000-4000-8000-%012d", len(n.ids)+1)
		}
		return n.ids[id]
	})
	s = instant.ReplaceAllStringFunc(s, n.instant)
	s = port.ReplaceAllString(s, "${1}:6443")
	s = longID.ReplaceAllStringFunc(s, func(id string) string {
		if known, ok := n.traceIDs[id]; ok {
			return known
		}
		return id
	})
	s = n.group(inQuery, s, n.version)
	s = n.group(inJSON, s, n.version)
	return n.group(inTokens, s, n.token)
}

// group replaces the second group of each match.
func (n *numbering) group(pattern *regexp.Regexp, s string, replace func(string) string) string {
	return pattern.ReplaceAllStringFunc(s, func(match string) string {
		groups := pattern.FindStringSubmatch(match)
		return groups[1] + replace(groups[2]) + strings.Join(groups[3:], "")
	})
}

// instant is a point in time as Kubernetes writes it.
func (n *numbering) instant(s string) string {
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return s
	}
	if n.clock == nil {
		n.times[at] = true
		return s
	}
	layout := "2006-01-02T15:04:05Z"
	if _, fraction, ok := strings.Cut(s, "."); ok {
		layout = "2006-01-02T15:04:05." + strings.Repeat("0", len(fraction)-1) + "Z"
	}
	return firstInstant.Add(time.Duration(n.clock[at]) * time.Second).Format(layout)
}

func (n *numbering) traceID(id string) string {
	if id == "" {
		return ""
	}
	if n.traceIDs[id] == "" {
		n.traceIDs[id] = fmt.Sprintf("%032d", len(n.traceIDs)+1)
	}
	return n.traceIDs[id]
}

func (n *numbering) traceparent(s string) string {
	parts := parent.FindStringSubmatch(s)
	if parts == nil {
		return s
	}
	n.spans++
	return fmt.Sprintf("%s-%s-%016d-%s", parts[1], n.traceID(parts[2]), n.spans, parts[4])
}

// token is a list's continue token: base64 of JSON with the revision of the first page
// (k8s.io/apiserver/pkg/storage, EncodeContinue). What is none stays as it is.
func (n *numbering) token(s string) string {
	content, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return s
	}
	var token struct {
		RV int64 `json:"rv"`
	}
	if json.Unmarshal(content, &token) != nil || token.RV <= 0 {
		return s
	}
	replaced := inToken.ReplaceAll(content, fmt.Appendf(nil, "${1}%d", n.revision(token.RV)))
	return base64.RawURLEncoding.EncodeToString(replaced)
}

var inToken = regexp.MustCompile(`("rv":)\d+`)

// whole is a number that stands for itself: no part of a name, a version, a duration.
var whole = regexp.MustCompile(`\d+`)

// before a number that may be something else, these say that it is a revision.
var saysRevision = regexp.MustCompile(`(?i)(resource ?version|revision|\brv|\bhead|版本)(\s*是|\s+is|\s+at|\s+of|\s+with)?[^\pL\pN]{0,3}$`)

// narration is a text that was filled in with the trace's own numbers.
func (n *numbering) narration(s string) string { return n.numbers(n.plain(s)) }

// message is a text of a server or a client, which speaks of revisions or does not.
func (n *numbering) message(s string) string {
	s = n.plain(s)
	if !namesRevision.MatchString(s) {
		return s
	}
	return n.numbers(s)
}

// numbers replaces the whole numbers in a text that are revisions. It leaves what plain has
// replaced: those are parts of something longer.
func (n *numbering) numbers(s string) string {
	if n.ordered == nil {
		return s
	}
	var b strings.Builder
	from := 0
	for _, at := range whole.FindAllStringIndex(s, -1) {
		b.WriteString(s[from:at[0]])
		from = at[1]
		b.WriteString(n.number(s[:at[0]], s[at[0]:at[1]], s[at[1]:]))
	}
	return b.String() + s[from:]
}

func (n *numbering) number(before, digits, after string) string {
	revision, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || partOfMore(before, after) {
		return digits
	}
	number, known := n.ordered[revision]
	if !known || n.others[revision] && !saysRevision.MatchString(before) {
		return digits
	}
	return zeros.FindString(digits) + strconv.FormatInt(number, 10)
}

var (
	goesOn = regexp.MustCompile(`[\w.:/=?&-]$|":\s*"$`)
	goesTo = regexp.MustCompile(`^([\w%/-]|[.:,]\d)`)
)

// partOfMore reports whether a number is a part of something longer, or was replaced by plain.
func partOfMore(before, after string) bool {
	return goesTo.MatchString(after) || goesOn.MatchString(before)
}
