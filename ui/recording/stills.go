package recording

import "iter"

// Stills are the frames that are worth looking at without the others: all but the passing
// ones. A label that a passing frame had is the next one's.
func (r *Recording) Stills() iter.Seq[Frame] {
	return func(yield func(Frame) bool) {
		label := ""
		for f := range r.Frames() {
			if f.Label != "" {
				label = f.Label
			}
			if f.Passing {
				continue
			}
			f.Label, label = label, ""
			if !yield(f) {
				return
			}
		}
	}
}
