package words

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rvtui/scenarios"
)

// Answer is what one HTTP answer says, taken apart.
type Answer struct {
	Status  string // "409 Conflict", "410 Gone (Expired)"; "" while there is none
	RV      string // the resourceVersion that came back: the object's, or the list's
	List    bool
	Items   int
	Message string // of a Status that is a failure; why no answer came
	Reason  string // of a Status that is a failure: "Conflict"
	Failed  bool
	Waiting bool // not answered yet
	// Warnings are the apiserver's, from the answer's Warning headers.
	Warnings []string
	Token    string // what the token for a list's next page holds: "rv 26, after cm2"
}

// ReadAnswer takes an exchange's answer apart.
func ReadAnswer(e *scenarios.Exchange) Answer {
	switch {
	case e.InFlight:
		return Answer{Waiting: true}
	case e.Status == 0:
		return Answer{Failed: true, Message: e.Error}
	}
	a := Answer{Status: strings.TrimSpace(strconv.Itoa(e.Status) + " " + http.StatusText(e.Status)), Failed: e.Status >= 400}
	a.Warnings = Warnings(header(e.ResponseHeaders, "Warning"))
	var body struct {
		Kind     string
		Metadata struct{ ResourceVersion, Continue string }
		Items    json.RawMessage
		Message  string
		Reason   string
	}
	if json.Unmarshal(e.ResponseBody, &body) == nil {
		a.RV = body.Metadata.ResourceVersion
		// Discovery's lists (APIResourceList, APIGroupList) have no items: they are of no objects.
		if a.List = strings.HasSuffix(body.Kind, "List") && body.Items != nil; a.List {
			var items []json.RawMessage
			_ = json.Unmarshal(body.Items, &items) // null is none
			a.Items = len(items)
		}
		a.Token = Token(body.Metadata.Continue)
		if body.Kind == "Status" {
			a.Reason, a.RV = body.Reason, ""
			if a.Failed {
				a.Message = body.Message
			}
		}
	}
	if a.Failed && a.Reason != "" && a.Reason != strings.ReplaceAll(http.StatusText(e.Status), " ", "") {
		a.Status += " (" + a.Reason + ")"
	}
	if e.Error != "" && a.Message == "" {
		a.Message = e.Error
	}
	return a
}

// Line is the answer in one line, in a language: "200 OK → rv 215", "409 Conflict".
func (a Answer) Line(lang string) string {
	switch {
	case a.Waiting:
		return In(lang, "waiting for the answer")
	case a.Status == "":
		return In(lang, "no answer")
	case a.List:
		return a.Status + " → " + a.Listed(lang)
	case a.RV != "":
		return a.Status + " → rv " + a.RV
	}
	return a.Status
}

// Listed is a list with its version, which one of what is stored nowhere has not.
func (a Answer) Listed(lang string) string {
	if a.RV == "" {
		return In(lang, "list")
	}
	return In(lang, "list rv %s", a.RV)
}

// Count is a number with its noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Are says how many of something there are, in a language: "there are 6 steps", "there
// is 1 step".
func Are(lang string, n int, one, many string) string {
	if n == 1 && lang != scenarios.Chinese {
		return "there is 1 " + one
	}
	return In(lang, "there are %s", CountIn(lang, n, one, many))
}

// Millis is a duration in milliseconds as a person reads it: "3ms", "3.0s".
func Millis(ms float64) string {
	if ms >= 1000 {
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + "s"
	}
	if ms > 0 && ms < 1 {
		return "<1ms"
	}
	return strconv.FormatFloat(ms, 'f', 0, 64) + "ms"
}

// Seconds is a duration as it is shown while it grows: "17 s", "1.2 s".
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	}
	return strconv.Itoa(int(d.Seconds())) + " s"
}

// RetryAfter is the seconds that an answer asks its client to wait; "" where it asks nothing.
func RetryAfter(e *scenarios.Exchange) string {
	return header(e.ResponseHeaders, "Retry-After")
}
