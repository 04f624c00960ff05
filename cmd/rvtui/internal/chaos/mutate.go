package chaos

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// Label plays a mutating webhook that puts a label on each object that is written.
func Label(name, value string) func(http.ResponseWriter, *http.Request, http.Handler) {
	return func(w http.ResponseWriter, r *http.Request, apiserver http.Handler) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		var object map[string]any
		if json.Unmarshal(sent, &object) == nil {
			labels := at(at(object, "metadata"), "labels")
			labels[name] = value
			if sent, err = json.Marshal(object); err != nil {
				panic(err)
			}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(sent)), int64(len(sent))
		apiserver.ServeHTTP(w, r)
	}
}

// at is an object's field that is an object too; it is made where it is not there.
func at(object map[string]any, field string) map[string]any {
	inner, ok := object[field].(map[string]any)
	if !ok {
		inner = map[string]any{}
		object[field] = inner
	}
	return inner
}
