package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/scenarios"
)

// TestTheLeastRightsAreEnough needs a kube-apiserver with RBAC, so a process of its own.
func TestTheLeastRightsAreEnough(t *testing.T) {
	printed, err := runHelper(t, "rights", t.TempDir())
	if err != nil || printed != "" {
		t.Errorf("%v\n%s", err, printed)
	}
}

// walkWithLeastRights walks through the catalogue as users that have the rights of docs/rbac
// and no others, on a kube-apiserver with RBAC, in namespaces of its own and in a given one.
func walkWithLeastRights(ctx context.Context) (err error) {
	c, err := start(ctx, Options{Recorder: recorder}, stock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	admin, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return err
	}
	if _, err := admin.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team-a"}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	for file, user := range map[string]string{"own-namespaces.yaml": "wide", "given-namespace.yaml": "narrow"} {
		if err := grant(ctx, c.RESTConfig(), file, user); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	all, err := scenarios.Catalogue()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(s *scenarios.Scenario) bool { return slices.Contains(s.Labels, "slow") || s.Exclusive() })
	etcd, err := c.EtcdClient()
	if err != nil {
		return err
	}
	defer etcd.Close()
	as := func(user, namespace string) (*cluster.Cluster, error) {
		config := c.RESTConfig()
		config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: []string{"system:authenticated"}}
		return cluster.New(cluster.Config{
			REST: config, Store: cluster.NewEtcdStore(etcd), Namespace: namespace, RPCs: recorder,
			Can: []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityEtcdRPC, scenarios.CapabilityNoControllers},
		})
	}
	for user, namespace := range map[string]string{"wide": "", "narrow": "team-a"} {
		on, err := as(user, namespace)
		if err != nil {
			return err
		}
		preflight, err := on.Preflight(ctx, all)
		if err != nil {
			return err
		}
		if preflight.User != user || preflight.Denied != nil || preflight.Refused != "" || len(preflight.Walks) < 20 || len(preflight.Skips) == 0 {
			fmt.Printf("%s: preflight: %+v\n", user, preflight)
		}
		covered := map[string]bool{}
		for _, scenario := range all {
			if slices.Contains(preflight.Walks, scenario.Name) && asksMore(scenario, covered) {
				if err := walkAs(ctx, on, scenario); err != nil {
					fmt.Printf("%s: %s: %v\n", user, scenario.Name, err)
				}
			}
		}
	}
	// Who may do nothing is told so, and who may do a part does that part.
	on, err := as("nobody", "")
	if err != nil {
		return err
	}
	if p, err := on.Preflight(ctx, all); err != nil || p.Refused != "you may not create namespaces, delete namespaces: name a namespace that is there, with --namespace" {
		fmt.Printf("nobody: %q, %v\n", p.Refused, err)
	}
	roles := admin.RbacV1().Roles("team-a")
	role, err := roles.Get(ctx, "rvtui", metav1.GetOptions{})
	if err != nil {
		return err
	}
	for i := range role.Rules {
		if role.Rules[i].Resources[0] == "pods" {
			role.Rules[i].Verbs = []string{"get", "list"}
		}
	}
	if _, err := roles.Update(ctx, role, metav1.UpdateOptions{}); err != nil {
		return err
	}
	return withoutPods(ctx, as, all)
}

// asksMore reports whether a scenario asks the API for what none before it did.
func asksMore(scenario *scenarios.Scenario, covered map[string]bool) bool {
	more := false
	for _, use := range scenario.Uses() {
		for _, verb := range use.Verbs {
			what := fmt.Sprint(use.APIVersion, use.Kind, use.Resource, "/", use.Subresource, verb)
			more = more || !covered[what]
			covered[what] = true
		}
	}
	return more
}

// withoutPods waits until the user may make no pods any more, and wants scenarios without
// them to be walked through, and the others to be skipped.
func withoutPods(ctx context.Context, as func(user, namespace string) (*cluster.Cluster, error), all []*scenarios.Scenario) error {
	on, err := as("narrow", "team-a")
	if err != nil {
		return err
	}
	var p cluster.Preflight
	for p.Denied == nil { // the authorizer reads the role from a cache
		if p, err = on.Preflight(ctx, all); err != nil {
			return err
		}
	}
	const why = "not allowed to create pods, delete pods, patch pods, 1 more"
	for _, scenario := range all {
		skip := slices.IndexFunc(p.Skips, func(s cluster.Skip) bool { return s.Scenario == scenario.Name && s.Why == why })
		makesPods := slices.ContainsFunc(scenario.Uses(), func(u scenarios.Use) bool { return u.Kind == "Pod" && slices.Contains(u.Verbs, "create") })
		if denied := skip >= 0; denied && !makesPods {
			fmt.Printf("%s is skipped: %s\n", scenario.Name, why)
		} else if denied {
			var missing *scenarios.MissingError
			if _, err := scenarios.Begin(ctx, on, scenario); !errors.As(err, &missing) || missing.Why != why {
				fmt.Printf("%s, without pods: %v\n", scenario.Name, err)
			}
		}
	}
	if !slices.Contains(p.Walks, "two-writers") {
		fmt.Printf("without pods: %+v\n", p)
	}
	return nil
}

// walkAs takes every step of a scenario.
func walkAs(ctx context.Context, c scenarios.Cluster, scenario *scenarios.Scenario) (err error) {
	run, err := scenarios.Begin(ctx, c, scenario)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close(ctx)) }()
	for {
		o, err := run.Step(ctx, nil)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if o.Verdict == scenarios.Failed {
			return fmt.Errorf("step %d, %s: expected %s, got %s %s", o.Step, o.Operation, o.Expected, o.Got, o.Error)
		}
	}
}

// grant does what the manifest's first lines say, for a user.
func grant(ctx context.Context, config *rest.Config, file, user string) error {
	content, err := os.ReadFile(filepath.Join("..", "..", "docs", "rbac", file))
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	documents := yaml.NewYAMLOrJSONDecoder(strings.NewReader(strings.ReplaceAll(string(content), "name: somebody", "name: "+user)), 4096)
	for {
		var object unstructured.Unstructured
		if err := documents.Decode(&object.Object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		plural, _ := meta.UnsafeGuessKindToResource(object.GroupVersionKind())
		in := dynamic.ResourceInterface(client.Resource(plural))
		if !strings.HasPrefix(object.GetKind(), "Cluster") {
			in = client.Resource(plural).Namespace("team-a")
		}
		if _, err := in.Create(ctx, &object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
}

// TestNothingOfOthersIsTouchedInAGivenNamespace fills a namespace with objects of somebody's,
// first under names that scenarios use, and walks through all that are quick.
func TestNothingOfOthersIsTouchedInAGivenNamespace(t *testing.T) {
	all, err := scenarios.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	config := controlPlane(t).RESTConfig()
	config.UserAgent = "somebody"
	admin, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for what, name := range map[string]string{"taken": "cm1", "free": "theirs", "sorted-before": "a-theirs"} {
		t.Run(what, func(t *testing.T) {
			namespace := "given-" + what
			fill(t, admin, namespace, name)
			before := versions(t, namespace)
			c := clusterOf(t, cluster.Config{Namespace: namespace})
			refused := 0
			for _, scenario := range all {
				if slices.Contains(scenario.Labels, "slow") || scenario.Exclusive() {
					continue
				}
				err := walkAs(t.Context(), c, scenario)
				var missing *scenarios.MissingError
				switch {
				case what == "taken" && errors.As(err, &missing) && strings.Contains(missing.Why, "ConfigMap cm1 is in namespace given-taken already, written by somebody,"):
					refused++
				case err != nil:
					t.Errorf("%s: %v", scenario.Name, err)
				}
				if after := versions(t, namespace); after != before {
					t.Fatalf("%s left\n%s\nwhere there was\n%s", scenario.Name, after, before)
				}
			}
			if what == "taken" && refused < 10 {
				t.Errorf("%d scenarios said that cm1 is taken", refused)
			}
		})
	}
}

// fill puts somebody's objects into a new namespace.
func fill(t *testing.T, admin kubernetes.Interface, namespace, name string) {
	t.Helper()
	options := metav1.CreateOptions{}
	theirs := metav1.ObjectMeta{Name: name, Finalizers: []string{"example.com/theirs"}}
	_, err := admin.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, options)
	for _, create := range []func() error{
		func() error {
			_, err := admin.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{ObjectMeta: theirs}, options)
			return err
		},
		func() error {
			_, err := admin.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "kube-root-ca.crt"}}, options)
			return err
		},
		func() error {
			_, err := admin.CoreV1().Secrets(namespace).Create(t.Context(), &corev1.Secret{ObjectMeta: theirs}, options)
			return err
		},
	} {
		if err == nil {
			err = create()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// versions are the keys that etcd has of a namespace, the namespace's own among them, with
// their mod_revisions.
func versions(t *testing.T, namespace string) string {
	t.Helper()
	etcd, err := controlPlane(t).EtcdClient()
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	all, err := etcd.Get(t.Context(), "/registry/", clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, kv := range all.Kvs {
		if bytes.Contains(kv.Key, []byte("/"+namespace)) {
			fmt.Fprintf(&b, "%s %d\n", kv.Key, kv.ModRevision)
		}
	}
	return b.String()
}
