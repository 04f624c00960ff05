package embedded

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func client(t *testing.T, c *ControlPlane) *kubernetes.Clientset {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestAControlPlaneIsReadyWhenItHasStarted(t *testing.T) {
	c := controlPlane(t)
	answer, err := client(t, c).Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(t.Context())
	if err != nil || string(answer) != "ok" {
		t.Errorf("/readyz says %q, %v", answer, err)
	}
}

func TestTheVersionsAreTheTrueOnes(t *testing.T) {
	c := controlPlane(t)
	versions := BuiltIn()
	server, err := client(t, c).Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	if server.GitVersion != "v"+versions.Kubernetes {
		t.Errorf("/version says %s, Versions says %s", server.GitVersion, versions.Kubernetes)
	}
	if got := server.Major + "." + server.Minor; !strings.HasPrefix(versions.Kubernetes, got+".") {
		t.Errorf("Versions says %s, and /version's major and minor are %s", versions.Kubernetes, got)
	}
	etcd, err := c.EtcdClient()
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	status, err := etcd.Status(t.Context(), c.EtcdEndpoint())
	if err != nil {
		t.Fatal(err)
	}
	if status.Version != versions.Etcd {
		t.Errorf("etcd says %s, Versions says %s", status.Version, versions.Etcd)
	}
}

func TestAnObjectIsInEtcdAsTheAPISaysItIs(t *testing.T) {
	c := controlPlane(t)
	configMaps := client(t, c).CoreV1().ConfigMaps("default")
	made, err := configMaps.Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "in-etcd"}, Data: map[string]string{"owner": "A"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	read, err := configMaps.Get(t.Context(), made.Name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(read.ManagedFields) == 0 {
		t.Error("no managed fields")
	}
	etcd, err := c.EtcdClient()
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	stored, err := etcd.Get(t.Context(), "/registry/configmaps/default/in-etcd")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(stored.Kvs[0].ModRevision); got != read.ResourceVersion {
		t.Errorf("mod_revision %s, resourceVersion %s", got, read.ResourceVersion)
	}
}

func TestNobodyIsLetInWithoutTheToken(t *testing.T) {
	config := rest.AnonymousClientConfig(controlPlane(t).RESTConfig())
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	var status int
	client.RESTClient().Get().AbsPath("/api/v1/namespaces").Do(t.Context()).StatusCode(&status)
	if status != http.StatusUnauthorized {
		t.Errorf("want 401, got %d", status)
	}
}

func TestTheDirectoryIsClosedToOthersAndTheTokenIsNotInIt(t *testing.T) {
	c := controlPlane(t)
	info, err := os.Stat(c.directory.name)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("the directory's mode is %o", info.Mode().Perm())
	}
	token := []byte(c.RESTConfig().BearerToken)
	if len(token) < 20 {
		t.Fatalf("the token has %d bytes", len(token))
	}
	logged, err := os.ReadFile(c.LogFile())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(logged, []byte("Serving securely")) || !bytes.Contains(logged, []byte("starting an etcd server")) {
		t.Error("the log has not both servers' messages")
	}
	err = filepath.WalkDir(c.directory.name, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, token) {
			t.Errorf("the token is in %s", entry.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestOnePortListensOnLoopbackAndNoOther(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads a process's listeners from /proc")
	}
	c := controlPlane(t)
	port := c.Address().(*net.TCPAddr).Port
	own := map[string]bool{}
	descriptors, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, descriptor := range descriptors {
		if target, err := os.Readlink("/proc/self/fd/" + descriptor.Name()); err == nil {
			own[target] = true
		}
	}
	var listening []string
	for _, table := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		lines, err := os.ReadFile(table)
		if err != nil {
			continue // no IPv6
		}
		for line := range strings.Lines(string(lines)) {
			// local address in 1, state in 3 (0A listens), inode in 9
			if fields := strings.Fields(line); fields[3] == "0A" && own["socket:["+fields[9]+"]"] {
				listening = append(listening, fields[1])
			}
		}
	}
	if want := fmt.Sprintf("0100007F:%04X", port); len(listening) != 1 || listening[0] != want {
		t.Errorf("listens on %v, want %s alone", listening, want)
	}
}

// TestRPCsBelongToTheirRequest shows what the program is about.
func TestRPCsBelongToTheirRequest(t *testing.T) {
	c := controlPlane(t)
	const path = "/api/v1/namespaces/default/configmaps"
	body := func(rv, owner string) string {
		return fmt.Sprintf(`{"metadata":{"name":"cm1","resourceVersion":%q},"data":{"owner":%q}}`, rv, owner)
	}
	created := ask(t, c, http.MethodPost, path, body("", "nobody"))
	if got := created.calls; got != "Txn /registry/configmaps/default/cm1 if mod=0 put true" {
		t.Errorf("a create made %s", got)
	}
	rv := created.resourceVersion(t)

	if got := ask(t, c, http.MethodGet, path+"/cm1", "").calls; got != "Range /registry/configmaps/default/cm1" {
		t.Errorf("a get made %s", got)
	}
	replaced := ask(t, c, http.MethodPut, path+"/cm1", body(rv, "A"))
	if want := "Txn /registry/configmaps/default/cm1 if mod=" + rv + " put true"; replaced.status != 200 || !replaced.made(want) || strings.Count(replaced.calls, "Txn") != 1 {
		t.Errorf("a replace got %d and made %s, want %s", replaced.status, replaced.calls, want)
	}
	stale := ask(t, c, http.MethodPut, path+"/cm1", body(rv, "B"))
	// The cached copy may still be the one that it was made of; then it loses in the Txn.
	if stale.status != http.StatusConflict || strings.Contains(stale.calls, "put true") {
		t.Errorf("a stale replace got %d and made %s", stale.status, stale.calls)
	}
	if listed := ask(t, c, http.MethodGet, path+"?resourceVersion=0", ""); listed.status != 200 || listed.calls != "" {
		t.Errorf("a list at resourceVersion 0 got %d and made %s", listed.status, listed.calls)
	}
	// Events have no watch cache: their watch goes to etcd, in the request's own name.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	traceID := newTraceID(t)
	response, err := send(ctx, t, c, http.MethodGet, "/api/v1/namespaces/default/events?watch=true", "", traceID)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	event := `{"metadata":{"name":"e1"},"involvedObject":{"namespace":"default"}}`
	if made := ask(t, c, http.MethodPost, "/api/v1/namespaces/default/events", event); made.status != http.StatusCreated {
		t.Fatalf("an event is answered %d: %s", made.status, made.body)
	}
	if line, err := bufio.NewReader(response.Body).ReadString('\n'); err != nil || !strings.Contains(line, "ADDED") {
		t.Fatalf("the watch says %q, %v", line, err)
	}
	if got := summary(recorder.Take(traceID)); !strings.Contains(got, "Watch /registry/events/default/") {
		t.Errorf("a watch of events made %s", got)
	}
}

func TestAllThatAScenarioNeedsIsServed(t *testing.T) {
	c := controlPlane(t)
	for _, resource := range []string{
		"/api/v1/configmaps", "/api/v1/pods", "/api/v1/events", "/api/v1/services",
		"/apis/apps/v1/deployments", "/apis/coordination.k8s.io/v1/leases",
		"/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
		"/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
		"/openapi/v3", "/openapi/v3/api/v1", "/apis", "/metrics",
	} {
		if got := ask(t, c, http.MethodGet, resource, ""); got.status != 200 {
			t.Errorf("%s answers %d", resource, got.status)
		}
	}
}

func TestFieldsBelongToTheirManager(t *testing.T) {
	configMaps := client(t, controlPlane(t)).CoreV1().ConfigMaps("default")
	apply := func(manager, value string) error {
		body := fmt.Appendf(nil, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied"},"data":{"k":%q}}`, value)
		_, err := configMaps.Patch(t.Context(), "applied", types.ApplyPatchType, body, metav1.PatchOptions{FieldManager: manager})
		return err
	}
	if err := apply("A", "1"); err != nil {
		t.Fatal(err)
	}
	if err := apply("B", "2"); !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `conflict with "A": .data.k`) {
		t.Errorf("the other manager is told %v", err)
	}
}

func TestTwoStartsPrintNothingAndLeaveNothing(t *testing.T) {
	tmp := t.TempDir()
	if output, err := runHelper(t, "twice", tmp); err != nil || output != "" {
		t.Errorf("printed %q, %v", output, err)
	}
	wantEmpty(t, tmp)
}

func TestAControlPlaneStartsInAnOddPath(t *testing.T) {
	tmp, err := os.MkdirTemp("", `a b:[c]@;&=+~!$'(){}^|<>é\-*`)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(tmp) })
	if output, err := runHelper(t, "twice", tmp); err != nil || output != "" {
		t.Errorf("printed %q, %v", output, err)
	}
	wantEmpty(t, tmp)
}

func TestACancelledStartLeavesNothing(t *testing.T) {
	tmp := t.TempDir()
	if output, err := runHelper(t, "cancelled", tmp); err != nil || output != "" {
		t.Errorf("printed %q, %v", output, err)
	}
	wantEmpty(t, tmp)
}

func TestAFatalMessageDoesNotEndTheProgram(t *testing.T) {
	tmp := t.TempDir()
	if output, err := runHelper(t, "fatal", tmp); err != nil || output != "" {
		t.Errorf("printed %q, %v", output, err)
	}
	wantEmpty(t, tmp)
}

func TestWhatAKilledRunLeftIsRemovedByTheNext(t *testing.T) {
	tmp := t.TempDir()
	if output, err := runHelper(t, "killed", tmp); err == nil || output != "" {
		t.Fatalf("printed %q, %v", output, err)
	}
	leftovers, err := filepath.Glob(filepath.Join(tmp, directoryPrefix+"*", "etcd"))
	if err != nil || len(leftovers) != 1 {
		t.Fatalf("the killed run left %v, %v", leftovers, err)
	}
	d, err := makeDirectory(tmp)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.remove(); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, tmp)
}

func TestAStartWithNowhereToWriteSaysSo(t *testing.T) {
	if output, err := runHelper(t, "twice", "/nonexistent"); err == nil || !strings.Contains(output, ErrNoTempDir.Error()) || strings.Contains(output, "\n") {
		t.Errorf("printed %q, %v", output, err)
	}
}

func TestTheKubernetesEtcdClientsLoggerIsReplaced(t *testing.T) {
	controlPlane(t)
	// The compiler does not tell where the variable has another name in a later version.
	if !etcdClientLoggerIsLinked {
		t.Error("k8s.io/apiserver's etcd3ClientLogger is not where it was")
	}
}

// answer is what a request got, and what it had done to etcd.
type answer struct {
	status int
	body   string
	calls  string
}

func (a answer) made(call string) bool { return strings.Contains(a.calls, call) }

func (a answer) resourceVersion(t *testing.T) string {
	t.Helper()
	_, rest, ok := strings.Cut(a.body, `"resourceVersion":"`)
	rv, _, _ := strings.Cut(rest, `"`)
	if !ok || rv == "" {
		t.Fatalf("no resourceVersion in %s", a.body)
	}
	return rv
}

// ask sends a request with a trace id of its own.
func ask(t *testing.T, c *ControlPlane, method, path, body string) answer {
	t.Helper()
	traceID := newTraceID(t)
	response, err := send(t.Context(), t, c, method, path, body, traceID)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return answer{status: response.StatusCode, body: string(content), calls: summary(recorder.Take(traceID))}
}

// A walk may pause for longer than the 5 minutes after which an apiserver has etcd forget
// what a later step reads.
func TestAWalksAPIServerCompactsNothingByItself(t *testing.T) {
	plane := controlPlane(t)
	storage := plane.apiserver.config.KubeAPIs.ControlPlane.StorageFactory.(*serverstorage.DefaultStorageFactory)
	if every := storage.StorageConfig.CompactionInterval; every != 0 {
		t.Errorf("etcd is compacted every %s", every)
	}
}
