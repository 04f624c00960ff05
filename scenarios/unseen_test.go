package scenarios

import (
	"slices"
	"testing"
)

func TestWhatIsNotSeenIsNeitherTrueNorFalse(t *testing.T) {
	o := &Observation{
		Actor:     A,
		Exchanges: []Exchange{{Actor: A, Method: "PUT", Status: 409}},
		Revisions: []Revision{{Revision: 7, Op: "PUT", Key: "k", Name: "cm1", Own: true, ModRevision: 7}, {Revision: 8, Op: "DELETE", Key: "k", Name: "cm1", Own: true, ModRevision: 8}},
	}
	state := NewHistory(&Trace{Setup: &Observation{
		Objects: []Object{{Name: "cm1", Exists: true, Object: []byte(`{}`), ResourceVersion: "7", ModRevision: 7}},
		Etcd:    EtcdState{Head: 9},
	}}).At(0)
	j := newJudging(&Trace{Can: []string{}})
	values := j.values(t.Context(), o, state, state)
	j.steps["earlier"] = j.rememberedValues(o, state)
	rpcs, etcd := []string{CapabilityEtcdRPC}, []string{CapabilityEtcdRead}
	tests := map[string]struct {
		ok   bool
		lack []string
	}{
		"rpcs.size() == 0":         {lack: rpcs},
		"rpcs[0].count == 1":       {lack: rpcs},
		"rpcs.exists(r, r.wrote)":  {lack: rpcs},
		"!rpcs.exists(r, r.wrote)": {lack: rpcs},
		"rpcs.filter(r, r.wrote).map(r, r.exchange).size() > 1":  {lack: rpcs},
		"steps.earlier.rpcs.size() == 1":                         {lack: rpcs},
		"lists.range(2).all(i, rpcs[i].count > i)":               {lack: rpcs},
		"code == 409 && rpcs.size() == 0":                        {lack: rpcs},
		"code == 200 && rpcs.size() == 0":                        {ok: false},
		"code == 409 || rpcs.size() == 0":                        {ok: true},
		"code == 409 ? true : rpcs.size() == 0":                  {ok: true},
		"keys.cm1.version == 2":                                  {lack: etcd},
		"keys.cm1.createRevision == keys.cm1.modRevision":        {lack: etcd},
		"keys.cm1.modRevision == 7":                              {lack: etcd},
		"before.keys.cm1.version == 1":                           {lack: etcd},
		"revisions.size() == 2 && revisions[0].modRevision == 7": {ok: true},
		"revisions.exists(r, r.version == 3)":                    {lack: etcd},
		"revisions[1].version == 0":                              {ok: true},
		"allRevisions.size() == 2":                               {lack: []string{CapabilityEtcdAll}},
		"etcd.head == 9":                                         {ok: true},
		"etcd.compacted == 0":                                    {lack: etcd},
		"rpcs.size() == 0 && etcd.compacted == 0":                {lack: []string{CapabilityEtcdRead, CapabilityEtcdRPC}},
	}
	for expression, want := range tests {
		ok, _, lack, err := values.holds(expression)
		if err != nil || ok != want.ok || !slices.Equal(lack, want.lack) {
			t.Errorf("%s: %v, lack %v, error %v; want %v, lack %v", expression, ok, lack, err, want.ok, want.lack)
		}
	}

	text, lack, err := values.fillText(Text{English: "${code}, ${rpcs.size()} RPCs, version ${keys.cm1.version}"})
	if text.In(English) != "409, … RPCs, version …" || len(lack) != 2 || err != nil {
		t.Errorf("%q, lack %v, error %v", text.In(English), lack, err)
	}
	if _, _, _, err := values.holds("keys.cm2.version == 1"); err == nil {
		t.Error("an object that is not there is no matter of what can be seen")
	}

	all := newJudging(&Trace{})
	if ok, _, lack, err := all.values(t.Context(), o, state, state).holds("rpcs.size() == 0 && etcd.compacted == 0"); !ok || lack != nil || err != nil {
		t.Errorf("where all is seen: %v, lack %v, error %v", ok, lack, err)
	}
}

func TestAStepIsAsExpectedByWhatCanBeSeenOfIt(t *testing.T) {
	j := newJudging(&Trace{Can: []string{}, Kubernetes: "1.35.4"})
	s := &Step{
		Say:     Text{English: "${rpcs.size()} RPCs"},
		Choices: []Choice{{Says: same("none"), If: "rpcs.size() == 0"}, {Says: same("one"), If: "rpcs.size() == 1"}},
		Expect: &Expect{Code: 200, That: []That{
			{CEL: "rpcs.size() == 1", Means: same("one Range")},
			{CEL: "code == 500", Means: same("a newer server's"), Since: "1.36"},
		}},
	}
	o := &Observation{Actor: A, Exchanges: []Exchange{{Actor: A, Status: 200}}}
	state := NewHistory(&Trace{}).At(0)
	j.conclude(t.Context(), s, o, state, state)
	if o.Verdict != OK || o.Right != 0 || len(o.Checks) != 3 || !slices.Equal(o.Lack, []string{CapabilityEtcdRPC}) {
		t.Errorf("%+v", o)
	}
	if c := o.Checks[1]; c.OK || !c.Unseen || !slices.Equal(c.Lack, []string{CapabilityEtcdRPC}) {
		t.Errorf("%+v", c)
	}
	if c := o.Checks[2]; c.OK || !c.Unseen || c.Since != "1.36" || c.Lack != nil {
		t.Errorf("%+v", c)
	}
	trace := Trace{Steps: []Observation{*o, {Verdict: Skipped, Lack: []string{CapabilityEtcdRead}}}}
	left := trace.Left()
	if trace.Verdict() != OK || !slices.Equal(left.Steps, []int{2}) || left.Checks != 2 ||
		!slices.Equal(left.Lack, []string{CapabilityEtcdRead, CapabilityEtcdRPC}) || !slices.Equal(left.Since, []string{"1.36"}) {
		t.Errorf("%s, %+v", trace.Verdict(), left)
	}
	j.server = "1.36.0"
	o.Checks = nil
	if j.conclude(t.Context(), s, o, state, state); o.Verdict != Failed {
		t.Error("on a server that is not older the expectation is judged")
	}
}

func TestWhatASkippedStepWouldHaveBroughtIsUnknownToLaterOnes(t *testing.T) {
	run := begin(t, &scripted{can: []string{}, answers: []scriptedAnswer{
		{seen: answered(Admin, "POST", 201, configMap(10, "nobody"), 10, "nobody")}, {seen: answered(A, "GET", 200, configMap(10, "nobody"), 10, "nobody")},
	}}, `
scenario: s
chapter: c
title: T
setup:
  - create: {name: cm1}
steps:
  - {id: storm, actor: A, needs: [apiserver.load], storm: {times: 2, do: {get: {name: cm1}}}}
  - actor: A
    get: {name: cm1}
    expect: {code: 200, that: [{cel: steps.storm.exchanges.size() == 2}]}
`)
	if o := step(t, run); o.Verdict != Skipped {
		t.Errorf("%+v", o)
	}
	if o := step(t, run); o.Verdict != OK || len(o.Checks) != 2 || !o.Checks[1].Unseen {
		t.Errorf("%+v", o)
	}
}

func TestWhichServerIsOlder(t *testing.T) {
	for _, test := range []struct {
		server, since string
		want          bool
	}{
		{"1.35.4", "1.36", true}, {"1.36.0", "1.36", false}, {"1.36", "1.36", false}, {"1.37.2", "1.36", false}, {"2.0", "1.36", false},
		{"v1.35.4+k3s1", "1.36", true}, {"1.35.4-eks-1", "1.35.5", true}, {"1.35.5-gke.100", "1.35.5", false}, {"1.9.0", "1.10", true},
		{"", "1.36", false}, {"unknown", "1.36", false},
	} {
		if got := older(test.server, test.since); got != test.want {
			t.Errorf("older(%q, %q) is %v", test.server, test.since, got)
		}
	}
}

func TestWhatWasInTheNamespaceBeforeIsNoneOfTheScenarios(t *testing.T) {
	list := []byte(`{"kind":"ConfigMapList","items":[{"metadata":{"name":"cm1"}},{"metadata":{"name":"kube-root-ca.crt"}}]}`)
	o := &Observation{
		Actor: A, Exchanges: []Exchange{{Actor: A, Method: "GET", Status: 200, ResponseBody: list}},
		Events: []WatchEvent{{Type: "ADDED", Name: "kube-root-ca.crt"}, {Type: "ADDED", Name: "cm1"}},
	}
	j := newJudging(&Trace{Found: []string{"kube-root-ca.crt"}})
	state := NewHistory(&Trace{}).At(0)
	values := j.values(t.Context(), o, state, state)
	for _, expression := range []string{"items == 1", "answer.items.size() == 1", "events.size() == 1 && events[0].name == 'cm1'"} {
		if ok, detail, _, err := values.holds(expression); !ok || err != nil {
			t.Errorf("%s: %s, error %v", expression, detail, err)
		}
	}
	one := 1
	if checks := judge(&Expect{Items: &one}, o, values); !checks[0].OK {
		t.Errorf("%+v", checks[0])
	}
}

func TestWhatAScenarioCannotDoWithoutIsFoundInItsOperations(t *testing.T) {
	for steps, want := range map[string][]string{
		"  - {actor: A, get: {name: cm1}}":                                                                          nil,
		"  - {actor: A, etcdGet: {name: cm1}}":                                                                      nil, // the step alone
		"  - {actor: A, etcdCompact: {revision: '${etcd.head}'}}":                                                   {CapabilityEtcdCompact},
		"  - {actor: A, apiserverRestart: {}}":                                                                      {CapabilityAPIServerRestart},
		"  - {actor: A, storm: {times: 2, do: {get: {name: cm1}}}}":                                                 {CapabilityAPIServerLoad},
		"  - {actor: A, needs: [apiserver.load], storm: {times: 2, do: {get: {name: cm1}}}}":                        nil,
		"  - {actor: A, create: {kind: CustomResourceDefinition, name: x}}":                                         {CapabilityAPIServerKinds},
		"  - {actor: A, watch: {events: 1, seconds: 1, meanwhile: [{actor: admin, etcdCompact: {revision: '1'}}]}}": {CapabilityEtcdCompact},
	} {
		s := mustDecode(t, "scenario: s\nchapter: c\ntitle: T\nsteps:\n"+steps+"\n")
		if got := s.Requires(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", steps, got, want)
		}
	}
}
