// Package gif writes a recording as an animated GIF. Frames are written as they are made,
// and each holds only what changed. It may import recording and its raster; what it writes
// to is given.
package gif

import (
	"errors"
	"fmt"
	"io"
	"time"

	"rvtui/ui/recording"
	"rvtui/ui/recording/raster"
)

// Viewers show a frame of less than this for as long as they like.
const shortest = 40 * time.Millisecond

// pause is how much longer the last frame stays, before the first comes again.
const pause = 2 * time.Second

// Write writes a recording as a GIF that begins anew when it has ended.
func Write(w io.Writer, r *recording.Recording) error {
	painter := raster.New(r)
	picture, shown := painter.Picture(), painter.Picture()
	to := newEncoder(w, picture.Image)
	var rest time.Duration
	show := func(f recording.Frame) {
		changed := picture.Show(f)
		// What a delay loses by being rounded, the next one gets.
		delay := max(f.Hold+rest, shortest).Round(unit)
		rest += f.Hold - delay
		to.frame(picture.Image, shown.Image, changed, delay)
		copy(shown.Image.Pix, picture.Image.Pix)
	}
	var next *recording.Frame
	for f := range r.Frames() {
		if next != nil && next.Content == f.Content {
			next.Hold += f.Hold
			continue
		}
		if next != nil {
			show(*next)
		}
		if to.err != nil {
			break
		}
		next = &f
	}
	if next == nil {
		return errors.New("writing a GIF: the recording has no frames")
	}
	next.Hold += pause
	show(*next)
	if err := to.close(); err != nil {
		return fmt.Errorf("writing a GIF: %w", err)
	}
	return nil
}
