package words

import (
	"fmt"
	"strconv"

	"rvtui/scenarios"
)

// initialEventsEnd is the annotation of the bookmark that ends a streaming list
// (InitialEventsAnnotationKey of k8s.io/apimachinery/pkg/apis/meta/v1).
const initialEventsEnd = "k8s.io/initial-events-end"

// Event is a watch event in a line: "MODIFIED cm1 rv 24", or, of an ERROR, what its Status
// says.
func Event(e scenarios.WatchEvent) string {
	object := Object(e.Object)
	switch e.Type {
	case "ERROR":
		code, _ := object["code"].(float64)
		reason, _ := object["reason"].(string)
		message, _ := object["message"].(string)
		return fmt.Sprintf("ERROR %.0f %s: %s", code, reason, message)
	case "BOOKMARK":
		metadata, _ := object["metadata"].(map[string]any)
		annotations, _ := metadata["annotations"].(map[string]any)
		if annotations[initialEventsEnd] != nil {
			return "BOOKMARK rv " + e.ResourceVersion + ", " + initialEventsEnd
		}
		return "BOOKMARK rv " + e.ResourceVersion
	}
	return e.Type + " " + e.Name + " rv " + e.ResourceVersion
}

// EventError is the code and the message of an ERROR.
func EventError(e scenarios.WatchEvent) (code, message string) {
	object := Object(e.Object)
	number, _ := object["code"].(float64)
	message, _ = object["message"].(string)
	return strconv.FormatFloat(number, 'f', 0, 64), message
}

// EventsOf are the events that came in by one of a step's exchanges.
func EventsOf(o *scenarios.Observation, exchange int) []scenarios.WatchEvent {
	var events []scenarios.WatchEvent
	for _, e := range o.Events {
		if e.Exchange != nil && *e.Exchange == exchange {
			events = append(events, e)
		}
	}
	return events
}
