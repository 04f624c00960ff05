// Package png writes a recording as pictures, one for each frame. It may import recording
// and its raster; what it writes to is given.
package png

import (
	"fmt"
	"image/png"
	"io"

	"rvtui/ui/recording"
	"rvtui/ui/recording/raster"
)

// Write writes each frame to a writer of its own, which open gives and Write closes. n
// counts the frames from 0. A frame for which open gives nil is left out.
func Write(r *recording.Recording, open func(n int, f recording.Frame) (io.WriteCloser, error)) error {
	picture := raster.New(r).Picture()
	encoder := png.Encoder{BufferPool: new(pool)}
	n := 0
	for f := range r.Frames() {
		picture.Show(f)
		to, err := open(n, f)
		if err != nil {
			return err
		}
		n++
		if to == nil {
			continue
		}
		err = encoder.Encode(to, picture.Image)
		if closed := to.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("writing a PNG: %w", err)
		}
	}
	return nil
}

// pool keeps the encoder's buffers from one frame to the next.
type pool struct{ buffer *png.EncoderBuffer }

func (p *pool) Get() *png.EncoderBuffer       { return p.buffer }
func (p *pool) Put(buffer *png.EncoderBuffer) { p.buffer = buffer }
