package sources

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// answered are the resourceVersions of the objects of a kind that answers gave.
func answered(namespace string, kind schema.GroupVersionResource, exchanges []scenarios.Exchange) []int64 {
	var revisions []int64
	add := func(object any) {
		fields, _ := object.(map[string]any)
		metadata, _ := fields["metadata"].(map[string]any)
		version, _ := metadata["resourceVersion"].(string)
		if revision := scenarios.ParseRevision(version); revision > 0 && metadata["name"] != nil {
			revisions = append(revisions, revision)
		}
	}
	for _, exchange := range exchanges {
		resource, _, own := cluster.Room{Namespace: namespace}.Object(exchange.Path)
		if !own || resource != kind.GroupResource() || exchange.Status < 200 || exchange.Status > 299 || len(exchange.ResponseBody) == 0 {
			continue
		}
		answer, _ := scenarios.DecodeJSON(exchange.ResponseBody).(map[string]any)
		add(answer)
		items, _ := answer["items"].([]any)
		for _, item := range items {
			add(item)
		}
	}
	return revisions
}
