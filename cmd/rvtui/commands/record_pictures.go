package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"rvtui/cmd/rvtui/internal/cause"
	"rvtui/ui/recording"
	"rvtui/ui/recording/png"
)

// writePictures writes each still as a picture: one of them as the file that was asked for,
// several as files beside it, with their steps' numbers.
func (m making) writePictures(ctx context.Context, path string, open func(string) (file, error)) error {
	paths := m.pictures(path)
	if path == stdout && len(paths) > 1 {
		return errors.New("it takes one picture, and the recording has several; --step says which")
	}
	return png.Write(m.Recording, func(_ int, f recording.Frame) (io.WriteCloser, error) {
		if f.Passing {
			return nil, nil
		}
		path := paths[0]
		paths = paths[1:]
		to, err := open(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, cause.OfFile(err))
		}
		return &closed{to: to, Writer: &untilEnded{ctx, to}}, nil
	})
}

// pictures are the files that pictures are written to: NAME-03.png is step 3, and where a
// step has several, NAME-03-2.png the second.
func (m making) pictures(path string) []string {
	var steps []int
	for f := range m.Stills() {
		steps = append(steps, f.Step)
	}
	if len(steps) == 1 {
		return []string{path}
	}
	name := strings.TrimSuffix(path, filepath.Ext(path))
	var paths []string
	nth := 0
	for i, step := range steps {
		if i == 0 || steps[i-1] != step {
			nth = 0
		}
		more := "" // a view's, a question's, an idea's
		if nth++; nth > 1 {
			more = fmt.Sprintf("-%d", nth)
		}
		paths = append(paths, fmt.Sprintf("%s-%02d%s.%s", name, step, more, picture))
	}
	return paths
}

// closed commits what was written once it is closed, if all of it was.
type closed struct {
	io.Writer
	to  file
	err error
}

func (c *closed) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.err = err
	return n, err
}

func (c *closed) Close() error {
	if c.err != nil {
		c.to.abandon()
		return nil // it was told
	}
	return c.to.commit()
}
