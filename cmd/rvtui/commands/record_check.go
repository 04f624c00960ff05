package commands

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rvtui/ui/words"
)

// compared is what would be written, which is compared with what is there.
type compared struct {
	bytes.Buffer
	path   string
	failed func(error)
}

func (c *compared) abandon() {}

func (c *compared) commit() error {
	content, err := os.ReadFile(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.failed(fmt.Errorf("%s is not there", c.path))
		return nil
	case err != nil:
		return err
	}
	if bytes.Equal(content, c.Bytes()) {
		return nil
	}
	differ := difference(content, c.Bytes())
	switch filepath.Ext(c.path) {
	case ".png":
		differ = pictureDifference(content, c.Bytes())
	case ".gif":
		differ = animationDifference(content, c.Bytes())
	}
	if differ != "" {
		c.failed(fmt.Errorf("%s is not what would be recorded now: %s", c.path, differ))
	}
	return nil
}

// pictureDifference compares what is seen: another version of Go encodes the same otherwise.
func pictureDifference(before, now []byte) string {
	a, err := png.Decode(bytes.NewReader(before))
	if err != nil {
		return "it is no PNG"
	}
	b, err := png.Decode(bytes.NewReader(now))
	if err != nil {
		return err.Error()
	}
	if a.Bounds() != b.Bounds() {
		return fmt.Sprintf("it is %s pixels large, and would be %s", a.Bounds().Size(), b.Bounds().Size())
	}
	return pixelDifference(a, b)
}

func pixelDifference(a, b image.Image) string {
	n := 0
	bounds := b.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r1, g1, b1, a1 := a.At(x, y).RGBA()
			if r2, g2, b2, a2 := b.At(x, y).RGBA(); r1 != r2 || g1 != g2 || b1 != b2 || a1 != a2 {
				n++
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d pixels differ", n)
}

// animationDifference compares what is seen, and for how long.
func animationDifference(before, now []byte) string {
	a, err := gif.DecodeAll(bytes.NewReader(before))
	if err != nil {
		return "it is no GIF"
	}
	b, err := gif.DecodeAll(bytes.NewReader(now))
	if err != nil {
		return err.Error()
	}
	switch {
	case a.Config.Width != b.Config.Width || a.Config.Height != b.Config.Height:
		return fmt.Sprintf("it is (%d,%d) pixels large, and would be (%d,%d)", a.Config.Width, a.Config.Height, b.Config.Width, b.Config.Height)
	case len(a.Image) != len(b.Image):
		return fmt.Sprintf("it has %s, and would have %d", words.Count(len(a.Image), "frame", "frames"), len(b.Image))
	case !slices.Equal(a.Delay, b.Delay):
		return "its frames stay for other times"
	}
	for i := range a.Image {
		if a.Image[i].Rect != b.Image[i].Rect {
			return fmt.Sprintf("frame %d differs", i+1)
		}
		if differ := pixelDifference(a.Image[i], b.Image[i]); differ != "" {
			return fmt.Sprintf("in frame %d, %s", i+1, differ)
		}
	}
	return ""
}

// difference says where two texts part.
func difference(before, now []byte) string {
	line := 1
	for i := 0; i < len(before) && i < len(now) && before[i] == now[i]; i++ {
		if now[i] == '\n' {
			line++
		}
	}
	return fmt.Sprintf("they differ from line %d on", line)
}
