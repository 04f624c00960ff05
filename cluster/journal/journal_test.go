package journal

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func configMap(uid string) Made {
	return Made{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespace: "team-a", Name: "cm1", UID: uid}
}

func TestWhatIsLeftOutlivesTheProcess(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "walks")
	j, err := Open(directory, "https://a:6443")
	if err != nil {
		t.Fatal(err)
	}
	for _, uid := range []string{"1", "2"} {
		if err := j.Note(configMap(uid)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Gone("1"); err != nil {
		t.Fatal(err)
	}
	alive, err := Read(directory)
	if err != nil || len(alive) != 1 || !alive[0].Alive || alive[0].Left != nil || alive[0].Run != j.Run() {
		t.Fatalf("of a living process: %+v, %v", alive, err)
	}
	// Half a line is what a full disk, or a killed process, leaves.
	if _, err := j.lock.WriteString(`{"made":{"na`); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	dead, err := Read(directory)
	if err != nil || len(dead) != 1 || dead[0].Alive || dead[0].Server != "https://a:6443" || len(dead[0].Left) != 1 || dead[0].Left[0] != configMap("2") {
		t.Fatalf("of a dead one: %+v, %v", dead[0], err)
	}
	if others, err := Read(directory); err != nil || !others[0].Alive {
		t.Errorf("a record in use was given to another one: %+v, %v", others, err)
	}
	if err := dead[0].Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Read(directory)
	if err != nil || len(again) != 1 {
		t.Fatalf("again: %+v, %v", again, err)
	}
	if err := again[0].Gone(configMap("2")); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(again[0].path)
	if err != nil {
		t.Fatal(err)
	}
	var reread Record
	reread.path = again[0].path
	if reread.read(); len(reread.Left) > 0 {
		t.Errorf("what is gone is not crossed out:\n%s", content)
	}
	if err := again[0].Close(); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, directory)
}

func TestAJournalOfWhatIsGoneGoesToo(t *testing.T) {
	directory := t.TempDir()
	j, err := Open(directory, "https://a:6443")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Note(configMap("1")); err != nil {
		t.Fatal(err)
	}
	if err := j.Gone("1"); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, directory)
}

func TestNoJournalNotesNothing(t *testing.T) {
	var j *Journal
	if err := j.Note(configMap("1")); err != nil || j.Gone("1") != nil || j.Close() != nil || j.Run() != "" {
		t.Errorf("nil: %v", err)
	}
	if records, err := Read(filepath.Join(t.TempDir(), "none")); err != nil || records != nil {
		t.Errorf("no directory: %v, %v", records, err)
	}
}

func TestWhatWasOnlyPlannedIsLeftUntilItIsNotedOrDropped(t *testing.T) {
	directory := t.TempDir()
	j, err := Open(directory, "https://a:6443")
	if err != nil {
		t.Fatal(err)
	}
	if j.Knows() {
		t.Error("it knows a cluster that nobody named")
	}
	named := func(name, uid string) Made {
		return Made{Version: "v1", Resource: "namespaces", Kind: "Namespace", Name: name, UID: uid}
	}
	identity := Identity{Namespace: "kube-system", UID: "k1"}
	for _, err := range []error{
		j.On(identity),
		j.Plan(named("made", "")), j.Note(named("made", "1")),
		j.Plan(named("refused", "")), j.Drop(named("refused", "")),
		j.Plan(named("lost", "")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !j.Knows() {
		t.Error("it does not know its cluster")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	records, err := Read(directory)
	if err != nil || len(records) != 1 || records[0].Cluster != identity || !slices.Equal(records[0].Left, []Made{named("made", "1"), named("lost", "")}) {
		t.Fatalf("%+v, %v", records, err)
	}
	for _, made := range slices.Clone(records[0].Left) {
		if err := records[0].Gone(made); err != nil {
			t.Fatal(err)
		}
	}
	// Who only looks leaves even a file that names nothing any more.
	if err := records[0].Release(); err != nil {
		t.Fatal(err)
	}
	if records, err = Read(directory); err != nil || len(records) != 1 || len(records[0].Left) > 0 {
		t.Fatalf("afterwards: %+v, %v", records, err)
	}
	if err := records[0].Close(); err != nil {
		t.Fatal(err)
	}
	wantEmpty(t, directory)
}

func wantEmpty(t *testing.T, directory string) {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
