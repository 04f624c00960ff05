package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"rvtui/scenarios"
)

// served is a control plane in another process, as someone's cluster.
type served struct {
	kubeconfig, etcd string
	token            string
	client           kubernetes.Interface
}

// serveHere starts `rvtui serve` until the test ends.
func serveHere(t *testing.T) served {
	t.Helper()
	serving := startServe(t, temporary(t))
	t.Cleanup(func() {
		_ = serving.command.Process.Signal(syscall.SIGTERM)
		_ = serving.command.Wait()
	})
	s := served{kubeconfig: serving.told["kubeconfig"], etcd: serving.told["etcd-endpoints"]}
	config, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	s.token = config.BearerToken
	if s.client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	return s
}

// left are the names of the namespaces there that rvtui may have made.
func (s served) left(t *testing.T) []string {
	t.Helper()
	list, err := s.client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, namespace := range list.Items {
		if strings.HasPrefix(namespace.Name, "rvtui") && namespace.DeletionTimestamp == nil {
			names = append(names, namespace.Name)
		}
	}
	return names
}

func TestOnAClusterOfOnesOwnAllThatItCanShowComesOutAsExpected(t *testing.T) {
	s := serveHere(t)
	for name, source := range map[string]struct {
		flags []string
		lacks []string // that it cannot be without
	}{
		"the API alone": {nil, []string{scenarios.CapabilityEtcdRead, scenarios.CapabilityEtcdRPC}},
		"endpoints":     {[]string{"--etcd-endpoints", s.etcd}, []string{scenarios.CapabilityEtcdRPC}},
	} {
		t.Run(name, func(t *testing.T) {
			tmp := temporary(t)
			command := program(t, tmp, append([]string{"check", "-o", "json", "--kubeconfig", s.kubeconfig}, source.flags...)...)
			output, err := command.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			var report struct {
				Mode, Kubernetes, Etcd string
				Scenarios              []struct {
					Name, Reason string
					Verdict      scenarios.Verdict
					NotSeen      struct{ Lack []string }
				}
			}
			if err := json.Unmarshal(output, &report); err != nil {
				t.Fatal(err)
			}
			if report.Mode != "rvtui-serve" || report.Kubernetes != "1.37.2" || (report.Etcd == "3.7.3") != (name == "endpoints") {
				t.Errorf("on %s %q %q", report.Mode, report.Kubernetes, report.Etcd)
			}
			all, err := scenarios.Catalogue()
			if err != nil || len(all) != len(report.Scenarios) {
				t.Fatalf("%d scenarios of %d, %v", len(report.Scenarios), len(all), err)
			}
			var lacks []string
			for i, row := range report.Scenarios {
				// What only the embedded control plane can do is skipped, and nothing else.
				only := slices.ContainsFunc(all[i].Requires(), func(need string) bool { return need != scenarios.CapabilityNoControllers })
				if (row.Verdict == scenarios.Skipped) != only || !only && row.Verdict != scenarios.OK || only && row.Reason == "" {
					t.Errorf("%s is %s: %s", row.Name, row.Verdict, row.Reason)
				}
				for _, lack := range row.NotSeen.Lack {
					if !slices.Contains(lacks, lack) {
						lacks = append(lacks, lack)
					}
				}
			}
			lacks = slices.DeleteFunc(lacks, func(lack string) bool {
				return lack == scenarios.CapabilityEtcdAll || lack == scenarios.CapabilityAPIServerLoad
			})
			if slices.Sort(lacks); !slices.Equal(lacks, source.lacks) {
				t.Errorf("not seen for the lack of %v, want %v", lacks, source.lacks)
			}
			if left := s.left(t); left != nil {
				t.Errorf("left behind: %v", left)
			}
			if bytes.Contains(output, []byte(s.token)) {
				t.Error("the token is in the report")
			}
			wantEmpty(t, tmp)
		})
	}
}

// conversation is rvtui in lines, with somebody who reads before they type.
type conversation struct {
	t    *testing.T
	in   io.Writer
	out  *bufio.Reader
	said strings.Builder
}

// until reads up to a line that begins so.
func (c *conversation) until(beginning string) string {
	c.t.Helper()
	for {
		line, err := c.out.ReadString('\n')
		c.said.WriteString(line)
		if strings.HasPrefix(line, beginning) {
			return line
		}
		if err != nil {
			c.t.Fatalf("%v before %q:\n%s", err, beginning, c.said.String())
		}
	}
}

func (c *conversation) say(line string) {
	c.t.Helper()
	if _, err := fmt.Fprintln(c.in, line); err != nil {
		c.t.Fatal(err)
	}
}

// converse starts rvtui in lines on the served cluster.
func (s served) converse(t *testing.T, state string, args ...string) (*conversation, *os.Process, func() error) {
	t.Helper()
	command := program(t, temporary(t), append([]string{"--plain", "--kubeconfig", s.kubeconfig}, args...)...)
	command.Env = append(command.Env, "XDG_STATE_HOME="+state)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return &conversation{t: t, in: in, out: bufio.NewReader(out)}, command.Process, command.Wait
}

func TestAThirdWriterIsSeenAsSomeoneElse(t *testing.T) {
	s := serveHere(t)
	for name, flags := range map[string][]string{"the API alone": nil, "endpoints": {"--etcd-endpoints", s.etcd}} {
		t.Run(name, func(t *testing.T) {
			c, _, wait := s.converse(t, t.TempDir(), append(flags, "two-writers")...)
			c.say("next")
			c.until("Step 1 of 6.")
			namespaces := s.left(t)
			if len(namespaces) != 1 {
				t.Fatalf("namespaces %v", namespaces)
			}
			patch := []byte(`{"data":{"owner":"kubectl"}}`)
			if _, err := s.client.CoreV1().ConfigMaps(namespaces[0]).Patch(t.Context(), "cm1", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
				t.Fatal(err)
			}
			c.say("next")
			c.until("Step 2 of 6.")
			c.say("state")
			c.until("State of two-writers after step 2 of 6:")
			if line := c.until("Revision "); !strings.Contains(line, "by setup") {
				t.Errorf("%q", line)
			}
			if line := c.until("Revision "); !strings.Contains(line, "PUT cm1") || !strings.Contains(line, "by someone else") {
				t.Errorf("%q", line)
			}
			c.say("quit")
			if _, err := io.ReadAll(c.out); err != nil {
				t.Fatal(err)
			}
			if err := wait(); err != nil {
				t.Error(err)
			}
			if left := s.left(t); left != nil {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestCleanRemovesWhatAKilledWalkLeftAndNothingOfOthers(t *testing.T) {
	s := serveHere(t)
	state := t.TempDir()
	for _, others := range []*corev1.Namespace{
		{ObjectMeta: metav1.ObjectMeta{Name: "rvtui-abcdef"}},
		{ObjectMeta: metav1.ObjectMeta{Name: "rvtui-abcdeg", Labels: map[string]string{"app.kubernetes.io/managed-by": "rvtui"}}},
	} {
		if _, err := s.client.CoreV1().Namespaces().Create(t.Context(), others, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	before := s.left(t)
	c, process, wait := s.converse(t, state, "two-writers")
	c.say("next")
	c.until("Step 1 of 6.")
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = wait()
	if left := s.left(t); len(left) != len(before)+1 {
		t.Fatalf("after the kill there are %v", left)
	}
	clean := func(args ...string) string {
		command := program(t, temporary(t), append([]string{"clean", "--kubeconfig", s.kubeconfig}, args...)...)
		command.Env = append(command.Env, "XDG_STATE_HOME="+state)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, output)
		}
		return string(output)
	}
	said := clean("--dry-run")
	if left := s.left(t); len(left) != len(before)+1 || !strings.Contains(said, "two-writers") {
		t.Errorf("after a dry run there are %v; it said %q", left, said)
	}
	clean()
	if left := s.left(t); !slices.Equal(left, before) {
		t.Errorf("after clean there are %v, want %v", left, before)
	}
}
