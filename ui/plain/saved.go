package plain

import (
	"context"
	"io"

	"rvtui/ui/words"
)

// driveSaved is drive for a saved trace, which needs no control plane.
func (d *driver) driveSaved(ctx context.Context, in io.Reader) error {
	d.say("rvtui. A saved trace: %s.", words.Cluster(words.InfoOf(&d.Saved.Head), d.Lang))
	d.printf("\n")
	if err := d.open(ctx, d.Initial); err != nil {
		return err
	}
	return d.converse(ctx, in)
}

// ended reports whether the reader stands where a saved trace ends before its scenario does.
func (d *driver) ended() bool {
	return d.Saved != nil && d.cursor == d.Saved.Steps && d.cursor < len(d.Saved.Head.Plan)
}

func (d *driver) sayEnded() {
	d.say("The trace was saved here: what came of step %d is not in it.", d.cursor+1)
}
