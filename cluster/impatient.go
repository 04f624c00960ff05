package cluster

import (
	"net/http"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
)

// Impatient lets the clients of a config have an answer such as 429 as it is where the server
// says to ask again only after the request's time is over: client-go would wait until then,
// and say no more than that it was over. It is for what the program itself asks; a step's
// answers are shown as they come.
func Impatient(config *rest.Config) {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if err != nil {
				return response, err
			}
			deadline, bounded := request.Context().Deadline()
			seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
			if bounded && err == nil && time.Until(deadline) < time.Duration(seconds)*time.Second {
				response.Header.Del("Retry-After")
			}
			return response, nil
		})
	})
}
