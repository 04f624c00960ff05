package plain

import "rvtui/ui/tracefile"

// keeping is the file that a walk is kept in.
type keeping struct {
	file   *tracefile.File
	failed bool // the last time, and it was said
}

// keep brings the file up to date. A failure is said once, and the next step may mend it.
func (d *driver) keep() {
	if d.kept == nil {
		return
	}
	_, err := d.kept.file.Update(*d.teller.trace)
	if err != nil && !d.kept.failed {
		d.say("The trace could not be saved: %s. The next step tries again.", err)
	}
	d.kept.failed = err != nil
}
