package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"rvtui/cmd/rvtui/internal/chaos"
	"rvtui/cmd/rvtui/internal/ptytest"
)

// through starts a proxy before a control plane, and returns a kubeconfig that leads through it.
func through(t *testing.T, config *rest.Config, faults ...chaos.Fault) string {
	t.Helper()
	p, err := chaos.Start(config, faults...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.CloseClientConnections(); p.Close() })
	path := filepath.Join(t.TempDir(), "config")
	if err := p.WriteKubeconfig(path, config); err != nil {
		t.Fatal(err)
	}
	return path
}

// wantNothingLeft fails unless every namespace that rvtui made has gone or is going.
func wantNothingLeft(t *testing.T, admin kubernetes.Interface) {
	t.Helper()
	all, err := admin.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, namespace := range all.Items {
		if strings.HasPrefix(namespace.Name, "rvtui-") && namespace.Status.Phase != corev1.NamespaceTerminating {
			t.Errorf("left behind: %s", namespace.Name)
		}
	}
}

// What comes in an apiserver's place.
var (
	unauthorized = chaos.Answer(http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized")
	denied       = chaos.Answer(http.StatusBadRequest, "", `admission webhook "policy.example.com" denied the request: no owner`)
	overQuota    = chaos.Answer(http.StatusForbidden, metav1.StatusReasonForbidden, `configmaps "cm1" is forbidden: exceeded quota: small, requested: count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2`)
	tooMany      = chaos.Answer(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "Too many requests, please try again later.", "Retry-After", "0")
	muchLater    = chaos.Answer(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "Too many requests, please try again later.", "Retry-After", "3600")
	noWebhook    = chaos.Answer(http.StatusInternalServerError, metav1.StatusReasonInternalError, `Internal error occurred: failed calling webhook "policy.example.com": connection refused`)
	noLeader     = chaos.Answer(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable, "etcdserver: leader changed")
)

// written are the requests of a method that write, dry runs apart.
func written(method, path string) func(*http.Request) bool {
	on := chaos.On(method, path)
	return func(r *http.Request) bool { return on(r) && r.URL.Query().Get("dryRun") == "" }
}

// fromTheFirst are all requests from the first one of a method on.
func fromTheFirst(method string) func(*http.Request) bool {
	begun := make(chan struct{}, 1)
	return func(r *http.Request) bool {
		if r.Method == method {
			select {
			case begun <- struct{}{}:
			default:
			}
		}
		return len(begun) > 0
	}
}

func TestWhatGoesWrongOnAClusterIsSaidInALineAndLeavesNothing(t *testing.T) {
	there := serveHere(t)
	admin := there.client
	config, err := clientcmd.BuildConfigFromFlags("", there.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	aNamespace, aConfigMap, aChange := written("POST", "/namespaces"), written("POST", "/configmaps"), written("PUT", "/configmaps/cm1")
	anEnd := func(r *http.Request) bool {
		return r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/namespaces/rvtui-")
	}
	dryRun := func(r *http.Request) bool { return r.URL.Query().Get("dryRun") != "" }
	version := chaos.On("GET", "/version")
	for _, test := range []struct {
		name  string
		fault chaos.Fault
		code  int
		out   []string // what stdout has, among others; nil where it has nothing
		err   string   // what stderr's one line has; "" where there is none
		left  bool     // something is left, and is said to be
	}{
		{name: "401 from the beginning", fault: chaos.Fault{Do: unauthorized}, code: 2, err: "rvtui: chaos does not accept the credentials of user chaos, or no longer (401 Unauthorized); log in anew"},
		{name: "401 half way", fault: chaos.Fault{On: fromTheFirst("PUT"), Do: unauthorized}, code: 1,
			out: []string{"two-writers  failed", "step 3, A replace cm1\n    could not be done: chaos does not accept the credentials of user chaos", "failed: two-writers: step 3, A replace cm1: could not be done: chaos does not accept"}, err: "/config` removes it: chaos does not accept the credentials of user chaos, or no longer (401", left: true},
		{name: "401 at the dry run", fault: chaos.Fault{On: dryRun, Do: unauthorized}, code: 2, err: "rvtui: chaos does not accept the credentials"},
		{name: "a webhook refuses namespaces", fault: chaos.Fault{On: chaos.On("POST", "/namespaces"), Do: denied}, code: 2, err: `rvtui: nothing can be written to chaos: a Namespace would be refused: admission webhook "policy.example.com" denied the request: no owner`},
		{name: "a webhook that knows no dry run", fault: chaos.Fault{On: dryRun, Do: chaos.Answer(400, metav1.StatusReasonBadRequest, "admission webhook \"x\" does not support dry run")}, code: 0, out: []string{"1 ok"}},
		{name: "a webhook refuses ConfigMaps", fault: chaos.Fault{On: aConfigMap, Do: denied}, code: 2, err: "rvtui: nothing was checked: every scenario was skipped",
			out: []string{"two-writers  skipped", `setting up two-writers: create cm1: 400 Bad Request: admission webhook "policy.example.com" denied the request: no owner`, "0 ok, 0 failed, 1 skipped"}},
		{name: "a quota is used up", fault: chaos.Fault{On: aConfigMap, Do: overQuota}, code: 2, err: "rvtui: nothing was checked: every scenario was skipped", out: []string{"two-writers  skipped", "exceeded quota: small", "0 ok, 0 failed, 1 skipped"}},
		{name: "a webhook refuses changes", fault: chaos.Fault{On: aChange, Do: denied}, code: 1,
			out: []string{"two-writers  failed", `got       400 Bad Request: admission webhook "policy.example.com" denied the request: no owner`}},
		{name: "429 now and then", fault: chaos.Fault{On: func(r *http.Request) bool { return aNamespace(r) || aConfigMap(r) || aChange(r) || anEnd(r) }, Do: tooMany, Times: 4}, code: 0, out: []string{"1 ok"}},
		{name: "429 for ever", fault: chaos.Fault{Do: tooMany}, code: 2, err: "rvtui: chaos has more requests than it answers (429 Too Many Requests): Too many requests, please try again later; try again later"},
		{name: "429, and again in an hour", fault: chaos.Fault{On: version, Do: muchLater}, code: 2, err: "chaos has more requests than it answers (429 Too Many Requests, it asks to wait 3600 s)"},
		{name: "429 at the first write, and again in an hour", fault: chaos.Fault{On: dryRun, Do: muchLater}, code: 2, err: "chaos has more requests than it answers (429 Too Many Requests, it asks to wait 3600 s)"},
		{name: "a webhook is down", fault: chaos.Fault{On: aNamespace, Do: noWebhook}, code: 2, err: "failed calling webhook \"policy.example.com\": connection refused; the cluster's administrator knows the webhook"},
		{name: "503 at the setup", fault: chaos.Fault{On: aConfigMap, Do: noLeader}, code: 1, out: []string{"two-writers  failed", "create cm1: 503 Service Unavailable (ServiceUnavailable): etcdserver: leader changed"}},
		{name: "503 at the end, twice", fault: chaos.Fault{On: anEnd, Do: noLeader, Times: 2}, code: 0, out: []string{"1 ok"}},
		{name: "a connection that is cut at the end, twice", fault: chaos.Fault{On: anEnd, Do: chaos.Cut, Times: 2}, code: 0, out: []string{"1 ok"}},
		{name: "an end that is never answered, once", fault: chaos.Fault{On: anEnd, Do: chaos.Hang, Times: 1}, code: 0, out: []string{"1 ok"}},
		{name: "an end that is forbidden", fault: chaos.Fault{On: anEnd, Do: overQuota}, code: 2, out: []string{"1 ok"}, err: "/config` removes it: configmaps \"cm1\" is forbidden: exceeded quota", left: true},
		{name: "a namespace that is made without an answer", fault: chaos.Fault{On: aNamespace, Do: chaos.CutAfter, Times: 1}, code: 2, err: "has closed the connection without an answer; has the apiserver been restarted?"},
		{name: "a connection that is cut in a step", fault: chaos.Fault{On: aChange, Do: chaos.Cut, Times: 1}, code: 1, out: []string{"step 3, A replace cm1\n    could not be done: ", "has closed the connection without an answer; has the apiserver been restarted?"}},
		{name: "no answer at the beginning", fault: chaos.Fault{Do: chaos.Hang}, code: 2, err: "has not answered within 1s; is the cluster overloaded? --request-timeout waits longer"},
		{name: "no answer in a step", fault: chaos.Fault{On: aChange, Do: chaos.Hang, Times: 1}, code: 1, out: []string{"step 3, A replace cm1\n    could not be done: ", "has not answered within 1s"}},
		{name: "a webhook that labels", fault: chaos.Fault{On: func(r *http.Request) bool { return aConfigMap(r) || aChange(r) }, Do: chaos.Label("team", "blue")}, code: 0,
			out: []string{"two-writers  ok", "on this cluster objects are not quite what was sent:\n  admission adds the label team to a ConfigMap: in 1 scenario\n", "1 ok"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			kubeconfig := through(t, config, test.fault)
			command := program(t, temporary(t), "check", "two-writers", "--kubeconfig", kubeconfig, "--request-timeout", "1s")
			var out, errs bytes.Buffer
			command.Stdout, command.Stderr = &out, &errs
			overdue := time.AfterFunc(ptytest.Patience, func() { _ = command.Process.Kill() })
			defer overdue.Stop()
			_ = command.Run()
			if code := command.ProcessState.ExitCode(); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			lacks := func(text string) bool { return !strings.Contains(out.String(), text) }
			if slices.ContainsFunc(test.out, lacks) || test.out == nil && out.Len() > 0 {
				t.Errorf("stdout:\n%s\nwant %q", out.String(), test.out)
			}
			if lines := strings.Count(errs.String(), "\n"); !strings.Contains(errs.String(), test.err) || test.err != "" && lines != 1 || test.err == "" && lines > 0 {
				t.Errorf("stderr:\n%s\nwant %q", errs.String(), test.err)
			}
			if test.left { // what is said to be left is what is left
				name, _, _ := strings.Cut(strings.TrimPrefix(errs.String(), "rvtui: namespace "), " ")
				if err := admin.CoreV1().Namespaces().Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
					t.Errorf("of what it says is left: %v", err)
				}
			}
			wantNothingLeft(t, admin)
		})
	}
	t.Run("nothing answers", func(t *testing.T) {
		p, err := chaos.Start(config)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "config")
		err = p.WriteKubeconfig(path, config)
		p.Close()
		said, _ := program(t, temporary(t), "run", "two-writers", "--kubeconfig", path).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(said), "rvtui: nothing answers at "+p.URL+" (connection refused); is chaos running?\n") {
			t.Errorf("%v, %s", err, said)
		}
	})
	t.Run("a step that differs says what admission did", func(t *testing.T) {
		const unlabelled = `scenario: unlabelled
chapter: reads
title: {en: A ConfigMap without labels}
setup:
  - create: {name: cm1, data: {owner: nobody}}
steps:
  - actor: A
    get: {name: cm1}
    expect:
      that:
        - cel: "!has(answer.metadata.labels)"
          means: {en: cm1 has no labels}
`
		file := filepath.Join(t.TempDir(), "unlabelled.yaml")
		if err := os.WriteFile(file, []byte(unlabelled), 0o600); err != nil {
			t.Fatal(err)
		}
		kubeconfig := through(t, config, chaos.Fault{On: aConfigMap, Do: chaos.Label("team", "blue")})
		const why = "(this cluster's admission adds the label team to a ConfigMap)"
		out, _ := program(t, temporary(t), "check", file, "--kubeconfig", kubeconfig).Output()
		if !strings.Contains(string(out), why) {
			t.Errorf("the table does not say it:\n%s", out)
		}
		s := ptytest.Start(t, program(t, temporary(t), file, "--kubeconfig", kubeconfig), 120, 36)
		s.WaitFor("LIVE 0/1")
		s.Type(right)
		s.WaitFor("LIVE 1/1")
		s.WaitFor("(this cluster's admission adds")
		s.Type("q")
		if code := s.Wait(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		s.WantRestored()
		wantNothingLeft(t, admin)
	})
	t.Run("the screen says what is refused", func(t *testing.T) {
		s := ptytest.Start(t, program(t, temporary(t), "two-writers", "--kubeconfig", through(t, config, chaos.Fault{On: aConfigMap, Do: denied})), 120, 36)
		s.WaitFor(`admission webhook "policy.example.com" denied the request`)
		s.Type("q")
		s.Wait()
		s.WantRestored()
		wantNothingLeft(t, admin)
	})
	t.Run("the screen goes on after a connection that is cut", func(t *testing.T) {
		s := ptytest.Start(t, program(t, temporary(t), "two-writers", "--kubeconfig", through(t, config, chaos.Fault{On: aChange, Do: chaos.Cut, Times: 1})), 120, 36)
		s.WaitFor("LIVE 0/6")
		for _, live := range []string{"LIVE 1/6", "LIVE 2/6", "LIVE 3/6"} {
			s.Type(right)
			s.WaitFor(live)
		}
		s.WaitFor("has closed the connection")
		s.Type(right)
		s.WaitFor("LIVE 4/6")
		s.Type("q")
		if code := s.Wait(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		wantNothingLeft(t, admin)
	})
}
