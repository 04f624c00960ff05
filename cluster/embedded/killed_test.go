package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"rvtui/cluster"
	"rvtui/cluster/journal"
	"rvtui/scenarios"
)

// TestWhatAKilledWalkLeftIsCleaned needs a namespace controller, so a process of its own.
func TestWhatAKilledWalkLeftIsCleaned(t *testing.T) {
	printed, err := runHelper(t, "kill-a-walk", t.TempDir())
	if err != nil || printed != "" {
		t.Errorf("%v\n%s", err, printed)
	}
}

// walkToBeKilled is where a process that is going to be killed walks.
type walkToBeKilled struct {
	Host, Token, Etcd, Namespace, Journal string
	CA                                    []byte
}

const walkVariable = "RVTUI_TEST_WALK"

// walkAndHang begins a walk whose object a finalizer holds, says so, and waits for its end.
func walkAndHang(ctx context.Context) error {
	var w walkToBeKilled
	if err := json.Unmarshal([]byte(os.Getenv(walkVariable)), &w); err != nil {
		return err
	}
	etcd, err := clientv3.New(clientv3.Config{Endpoints: []string{w.Etcd}})
	if err != nil {
		return err
	}
	noted, err := journal.Open(w.Journal, w.Host)
	if err != nil {
		return err
	}
	c, err := cluster.New(cluster.Config{
		REST:  &rest.Config{Host: w.Host, BearerToken: w.Token, TLSClientConfig: rest.TLSClientConfig{CAData: w.CA}},
		Store: cluster.NewEtcdStore(etcd), Namespace: w.Namespace, Journal: noted, Can: []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityNoControllers},
	})
	if err != nil {
		return err
	}
	session, err := c.Open(ctx, "killed")
	if err != nil {
		return err
	}
	_, err = session.Do(ctx, scenarios.Call{Actor: scenarios.A, Verb: scenarios.VerbCreate, Name: "cm1", Object: map[string]any{
		"metadata": map[string]any{"name": "cm1", "finalizers": []any{"rvtui.dev/held"}},
	}}, nil)
	if err != nil {
		return err
	}
	fmt.Println("walking in " + session.Namespace())
	select {}
}

// killAWalk kills walks in a namespace of their own and in a given one, cleans, and wants all
// of theirs to be gone and nothing of others.
func killAWalk(ctx context.Context) (err error) {
	c, err := Start(ctx, Options{Namespaces: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	admin, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return err
	}
	others := []metav1.ObjectMeta{
		{Name: "rvtui-abcdef"},
		{Name: "rvtui-docs", Labels: map[string]string{"app.kubernetes.io/managed-by": "rvtui"}},
		{Name: "team-a", Labels: map[string]string{"app.kubernetes.io/managed-by": "rvtui", "rvtui.dev/run": "x"}},
	}
	for _, other := range others {
		if err := makeNamespace(ctx, admin, other.Name); err != nil {
			return err
		}
		if _, err := admin.CoreV1().Namespaces().Update(ctx, &corev1.Namespace{ObjectMeta: other}, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	if err := admin.CoreV1().ConfigMaps("team-a").Delete(ctx, "cm1", metav1.DeleteOptions{}); err != nil {
		return err
	}
	journals := filepath.Join(os.TempDir(), "walks")
	var own string
	for _, namespace := range []string{"", "team-a"} {
		at, err := walkAndKill(ctx, c, namespace, journals)
		if err != nil {
			return err
		}
		if namespace == "" {
			own = at
		}
	}
	before, err := held(ctx, admin)
	if err != nil {
		return err
	}
	cleaned, err := cluster.Clean(ctx, c.RESTConfig(), cluster.CleanOptions{Journal: journals, Timeout: time.Minute, Now: time.Now})
	if err != nil {
		return err
	}
	left := cleaned.Left
	if len(left) != 2 || left[0].Name != own || left[0].Fate != cluster.Removed || left[1].Namespace != "team-a" || left[1].Fate != cluster.Removed {
		fmt.Printf("cleaned: %+v\n", left)
	}
	want := slices.DeleteFunc(before, func(what string) bool { return strings.Contains(what, own) || strings.HasPrefix(what, "team-a/cm1 ") })
	after, err := held(ctx, admin)
	if err != nil || !slices.Equal(after, want) {
		fmt.Printf("there is\n%s\nand should be\n%s\n%v\n", strings.Join(after, "\n"), strings.Join(want, "\n"), err)
	}
	entries, err := os.ReadDir(journals)
	if err != nil || len(entries) > 0 {
		fmt.Printf("journals: %v, %v\n", entries, err)
	}
	return nil
}

// walkAndKill lets another process walk, and kills it in the middle.
func walkAndKill(ctx context.Context, c *ControlPlane, namespace, journals string) (at string, err error) {
	config := c.RESTConfig()
	w, err := json.Marshal(walkToBeKilled{Host: config.Host, Token: config.BearerToken, CA: config.CAData, Etcd: c.EtcdEndpoint(), Namespace: namespace, Journal: journals})
	if err != nil {
		return "", err
	}
	walking := exec.CommandContext(ctx, os.Args[0])
	walking.Env = append(os.Environ(), helperVariable+"=hang", walkVariable+"="+string(w))
	out, err := walking.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := walking.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	at, ok := strings.CutPrefix(strings.TrimSpace(line), "walking in ")
	if err == nil && !ok {
		err = errors.New(line)
	}
	if killed := walking.Process.Kill(); err == nil {
		err = killed
	}
	_ = walking.Wait() // it was killed, it says
	return at, err
}

// held are the namespaces and ConfigMaps that there are, with their versions.
func held(ctx context.Context, admin kubernetes.Interface) ([]string, error) {
	var all []string
	namespaces, err := admin.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	for _, n := range namespaces.Items {
		all = append(all, n.Name+" "+n.ResourceVersion)
	}
	configMaps, err := admin.CoreV1().ConfigMaps("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	for _, cm := range configMaps.Items {
		all = append(all, cm.Namespace+"/"+cm.Name+" "+cm.ResourceVersion)
	}
	slices.Sort(all)
	return all, nil
}
