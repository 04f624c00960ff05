package scenarios

import (
	"bytes"
	"testing"
)

func TestATraceThatGrowsIsAtEachStepAsItIsWrittenWhole(t *testing.T) {
	for _, f := range everyFixture(t) {
		var g Growing
		var grown bytes.Buffer
		for n := range len(f.trace.Steps) + 1 {
			so := f.trace
			so.Steps = f.trace.Steps[:n]
			more, err := g.Append(so)
			if err != nil {
				t.Fatal(err)
			}
			grown.Write(more)
			if none, err := g.Append(so); err != nil || len(none) > 0 {
				t.Errorf("the same once more is %q, %v", none, err)
			}
			var whole bytes.Buffer
			if err := so.WriteJSON(&whole); err != nil {
				t.Fatal(err)
			}
			if got := grown.String() + g.End(); got != whole.String() {
				t.Fatalf("%s after %d steps: %d bytes, want %d", f.scenario.Name, n, len(got), whole.Len())
			}
		}
	}
}

func TestATraceThatIsReadInTheMiddleOfItsWalkIsThatFar(t *testing.T) {
	f := everyFixture(t)[0]
	var g Growing
	f.trace.Steps = f.trace.Steps[:2]
	content, err := g.Append(f.trace)
	if err != nil {
		t.Fatal(err)
	}
	if trace, err := readAll(string(content) + g.End()); err != nil || len(trace.Steps) != 2 {
		t.Errorf("%d steps, %v", len(trace.Steps), err)
	}
	if (&Growing{}).End() != "" {
		t.Error("nothing has an end")
	}
}
