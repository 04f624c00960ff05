package scenarios

import (
	"net/url"
	"strings"
)

// AsksToWatch reports whether a query's parameter watch is true to the apiserver: all but
// false and 0 is (Convert_Slice_string_To_bool of k8s.io/apimachinery/pkg/runtime).
func AsksToWatch(query url.Values) bool {
	said := query["watch"]
	return len(said) > 0 && said[0] != "0" && !strings.EqualFold(said[0], "false")
}
