package diff

import "strings"

// sentences say what the comparison does not show by itself.
func (p *picture) sentences() []string {
	var out []string
	for _, s := range []string{p.step(), p.between(), p.contents()} {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// step is what the step under the cursor did to the object.
func (p *picture) step() string {
	newest := &p.known[len(p.known)-1]
	switch n := writtenIn(p.known, p.in.Cursor); {
	case n == 0 && newest.gone():
		return p.in.In("This step did not write %s, which is still deleted.", p.short())
	case n == 0:
		return p.in.In("This step did not write %s: its resourceVersion is still %d.", p.short(), newest.ModRevision)
	case n > 1:
		return p.in.In("This step wrote %s %d times, and last at revision %d.", p.short(), n, newest.Revision.Revision)
	}
	return ""
}

// between is what became of the key from one revision to the other.
func (p *picture) between() string {
	older, newer := p.at(p.older), p.at(p.newer)
	at := newer.Revision.Revision
	switch {
	case older == nil && newer.gone():
		return p.in.In("Revision %d deletes %s. The trace does not hold what it was before.", at, p.short())
	case older == nil && newer.created:
		if len(p.known) == 1 {
			return p.in.In("Revision %d creates %s. It is the only revision up to here: there is nothing to compare it with.", at, p.short())
		}
		return p.in.In("Revision %d creates %s.", at, p.short())
	case older == nil && newer.Version == 0:
		return p.in.In("Revision %d is the first of %s in the trace. Whether the key was there before is not known.", at, p.short())
	case older == nil && newer.Version != 1:
		return p.in.In("Revision %d is the first of %s in the trace, which does not hold what it was before.", at, p.short())
	case older == nil && len(p.known) == 1:
		return p.in.In("Revision %d creates %s. It is the only revision up to here: there is nothing to compare it with.", at, p.short())
	case older == nil:
		return p.in.In("Revision %d creates %s.", at, p.short())
	case older.gone() && newer.gone():
		return p.in.In("At neither revision is anything stored.")
	case older.gone():
		return p.in.In("%s is there again, but it is another object: the one of this name was deleted at revision %d.", p.short(), older.Revision.Revision)
	case newer.gone() && p.in.Now.Etcd.Compacted >= at:
		return p.in.In("Revision %d deletes %s. What it was before, etcd cannot be asked any more: it is compacted at %d.", at, p.short(), p.in.Now.Etcd.Compacted)
	case newer.gone():
		return p.in.In("Revision %d deletes %s. Until that is compacted, etcd can still be asked what it was before.", at, p.short())
	case older.CreateRevision == 0 || newer.CreateRevision == 0:
		return "" // etcd alone tells
	case older.CreateRevision != newer.CreateRevision:
		return p.in.In("These are two objects of one name: it was deleted and created again in between (create_revision %d and %d).",
			older.CreateRevision, newer.CreateRevision)
	}
	return ""
}

// contents is what is to be said of the two objects.
func (p *picture) contents() string {
	c := p.made
	why := p.at(p.newer).Unreadable
	if older := p.at(p.older); why == "" && older != nil {
		why = older.Unreadable
	}
	switch {
	case !c.comparable() && why != "":
		return p.in.In("What is stored cannot be read, as it is %s: there are its revisions, but no contents to compare.", why)
	case !c.comparable() && (p.of.kind == "Secret" || strings.HasPrefix(p.of.key, "/registry/secrets/")):
		return p.in.In("A trace does not hold what a Secret contains: there are its revisions, but no contents to compare.")
	case !c.comparable() && (p.older >= 0 || !p.at(p.newer).gone()):
		return p.in.In("The trace does not hold the object's contents at both revisions.")
	case !c.before.known || !c.after.known, c.removed+c.added > 0:
		return ""
	case c.timesOnly:
		return p.in.In("Nothing differs but a time in managedFields.")
	case c.managed:
		return p.in.In("Nothing differs but managedFields.")
	}
	return p.in.In("The object is the same at both revisions.")
}
