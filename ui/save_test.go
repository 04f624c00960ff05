package ui

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rvtui/ui/internal/uitest"
	"rvtui/ui/tracefile"
)

// saving is a driver at step 4 of two-writers that was told to save.
func saving(t *testing.T, path string) *driver {
	t.Helper()
	d := drive(t, newStage(t), 0)
	d.until("the setup", func() bool { return d.m.begun })
	d.m.size.Width = 400 // a test's directories have long names
	d.command("4")
	d.at(4, 4)
	d.command("save " + path)
	return d
}

func TestTheTraceSoFarIsSavedAsRunWritesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two writers.json")
	d := saving(t, path)
	d.until("the end of it", func() bool { return d.m.palette == nil })
	var want bytes.Buffer
	if err := uitest.UpTo(d.stage.trace, 4).WriteJSON(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("it holds %d bytes, want the trace's %d", len(got), want.Len())
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	d.shows("saved "+path, itoa(want.Len())+" bytes")
	d.press("h")
	if strings.Contains(d.m.frame(), "saved") {
		t.Error("it is still said after a key")
	}
}

func TestASavedTracesFolderCanBeTheReadersOwn(t *testing.T) {
	home := t.TempDir()
	d := drive(t, newStage(t), 0)
	d.m.options.Env = []string{"HOME=" + home}
	d.until("the setup", func() bool { return d.m.begun })
	d.command("save ~/trace.json")
	d.until("the end of it", func() bool { return d.m.palette == nil })
	if _, err := os.Stat(filepath.Join(home, "trace.json")); err != nil {
		t.Error(err)
	}
}

func TestAFileThatIsThereAlreadyIsNeverOverwritten(t *testing.T) {
	directory := t.TempDir()
	for name, make := range map[string]func(path string) error{
		"file":      func(path string) error { return os.WriteFile(path, []byte("mine"), 0o644) },
		"empty":     func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"link":      func(path string) error { return os.Symlink(filepath.Join(directory, "nowhere"), path) },
		"directory": func(path string) error { return os.Mkdir(path, 0o755) },
	} {
		path := filepath.Join(directory, name)
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		d := saving(t, path)
		d.until("the end of it", func() bool { return d.m.palette.wrong != "" })
		d.wants("save " + path)
		d.shows(path + " is there already, and is left alone")
		if content, err := os.ReadFile(filepath.Join(directory, "file")); name == "file" && string(content) != "mine" {
			t.Errorf("it holds %q, %v", content, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(directory, "nowhere")); !os.IsNotExist(err) {
		t.Error("it was written through a link")
	}
}

func TestWhereATraceCannotBeWrittenIsSaidInOneLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nowhere", "x.json")
	d := saving(t, path)
	d.until("the end of it", func() bool { return d.m.palette.wrong != "" })
	d.wants("save " + path)
	d.shows(path + " could not be written: no such file or directory")
	d.press("esc")
	d.update(savedMsg{&palette{}, "x.json", 0, &fs.PathError{Op: "open", Path: "x.json", Err: fs.ErrPermission}}) // typed where nothing is typed any more
	d.shows("x.json could not be written: permission denied")
}

func TestNothingIsSavedBeforeThereIsAnything(t *testing.T) {
	stage := newStage(t)
	stage.ready = make(chan struct{})
	d := drive(t, stage, 0)
	path := filepath.Join(t.TempDir(), "x.json")
	d.command("save " + path)
	d.shows("there is nothing to save yet: the scenario is not set up")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("something was written")
	}
}

func TestAStepLessTraceIsAListOfNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	d := drive(t, newStage(t), 0)
	d.until("the setup", func() bool { return d.m.begun })
	d.command("save " + path)
	d.until("the end of it", func() bool { return d.m.palette == nil })
	if content, err := os.ReadFile(path); err != nil || !strings.Contains(string(content), "\n  \"steps\": []") {
		t.Errorf("%v, %.200s", err, content)
	}
}

// held waits for what is under way, and is what a file holds then.
func (d *driver) held(path string) string {
	d.t.Helper()
	d.m.work.busy.Wait()
	content, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(content)
}

// written is the trace after n steps, as it is written.
func (d *driver) written(n int) string {
	d.t.Helper()
	var b strings.Builder
	if err := uitest.UpTo(d.stage.trace, n).WriteJSON(&b); err != nil {
		d.t.Fatal(err)
	}
	return b.String()
}

func TestASavedTraceGrowsWithEachStep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	d := saving(t, path)
	d.until("the end of it", func() bool { return d.m.palette == nil })
	d.shows("each step from here on is added")
	for n := 5; n <= 6; n++ {
		d.press("l")
		d.at(n, n)
		if got := d.held(path); got != d.written(n) {
			t.Errorf("after step %d it holds %d bytes, want %d", n, len(got), len(d.written(n)))
		}
	}
	d.command("save " + path + ".more")
	d.until("the end of it", func() bool { return d.m.palette == nil })
	d.shows(path + ".more")
	if strings.Contains(d.m.frame(), "from here on") {
		t.Error("after the last step more is promised")
	}
}

func TestAnotherWalkIsNotAddedToASavedTrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	d := saving(t, path)
	d.until("the end of it", func() bool { return d.m.palette == nil })
	d.press("r")
	d.at(0, 0)
	d.press("l")
	d.at(1, 1)
	if got := d.held(path); got != d.written(4) {
		t.Errorf("it holds %d bytes, want %d", len(got), len(d.written(4)))
	}
}

func TestThatASavedTraceFellBehindIsSaidOnceAndMended(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "d")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory, "x.json")
	d := drive(t, newStage(t), 0)
	d.m.size.Width = 400
	d.until("the setup", func() bool { return d.m.begun })
	d.command("save " + path)
	d.until("the end of it", func() bool { return d.m.palette == nil })
	if err := os.Rename(directory, directory+".away"); err != nil {
		t.Fatal(err)
	}
	d.press("l")
	d.at(1, 1)
	d.until("that it is said", func() bool { return d.m.state.Note != "" })
	d.shows(path + " could not be written: no such file or directory; the next step tries again")
	d.press("l")
	d.at(2, 2)
	d.m.work.busy.Wait()
	if strings.Contains(d.m.frame(), "could not be written") {
		t.Error("it is said again")
	}
	if err := os.Rename(directory+".away", directory); err != nil {
		t.Fatal(err)
	}
	d.press("l")
	d.at(3, 3)
	if got := d.held(path); got != d.written(3) {
		t.Errorf("it holds %d bytes, want %d", len(got), len(d.written(3)))
	}
}

func TestTheFirstWalkIsKeptInTheFileThatWasNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	stage := newStage(t)
	d := driveWith(t, stage, func(o *Options) { o.Initial = o.Scenarios[0] })
	d.m.work.first = tracefile.New(path)
	d.until("the setup", func() bool { return d.m.begun })
	if got := d.held(path); got != d.written(0) {
		t.Errorf("after the setup it holds %d bytes, want %d", len(got), len(d.written(0)))
	}
	d.press("l")
	d.at(1, 1)
	if got := d.held(path); got != d.written(1) {
		t.Errorf("it holds %d bytes, want %d", len(got), len(d.written(1)))
	}
	d.press("r")
	d.at(0, 0)
	if got := d.held(path); got != d.written(1) {
		t.Error("another walk took its place")
	}
}
