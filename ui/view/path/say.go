package path

import (
	"strconv"

	"rvtui/ui/view"
)

// saying is a question in words: what is asked, what came of it, and where the other
// branches would have led.
type saying struct{ asks, said, otherwise string }

// sayer has what the texts of one path need.
type sayer struct {
	in   *view.Input
	verb string
	e    *evidence
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func (s *sayer) say(n Node) saying {
	t := s.text(n)
	switch n.Reached {
	case NotReached:
		t.said = s.in.In("not reached")
	case NotObserved:
		t.said = s.in.In("not observed here")
	}
	return t
}

// by picks what fits the node's answer; of the other branches, those of Unclear stand for the
// answers that are not named.
func (n Node) by(asks string, said, otherwise map[Answer]string) saying {
	other, ok := otherwise[n.Answer]
	if !ok {
		other = otherwise[Unclear]
	}
	return saying{asks, said[n.Answer], other}
}

func (s *sayer) text(n Node) saying {
	in := s.in.In
	by := n.by
	switch n.Question {
	case Decode:
		return by(in("read the request"),
			map[Answer]string{Passed: in("done"), Refused: in("refused before anything was looked up")},
			map[Answer]string{Refused: "", Unclear: in("it cannot be read → 400")})
	case RVOnCreate:
		given := in("yes, %s, and a new object cannot have one", n.Sent)
		if n.Answer == Given && !n.Ends {
			given = in("%s, not a resourceVersion: it counts for nothing", n.Sent)
		}
		return by(in("a resourceVersion on a new object?"),
			map[Answer]string{None: in("none"), Given: given},
			s.unlessEnding(n, in("one → refused"), in("none → Txn")))
	case Find:
		found := "rv " + number(n.Revision)
		if n.Revision == 0 {
			found = in("it is there")
		}
		return by(in("read it from etcd"),
			map[Answer]string{Yes: found, Missing: in("there is no such object")},
			map[Answer]string{Missing: "", Unclear: in("no such object → 404")})
	case Current:
		cached := in("from the watch cache, no RPC")
		if n.Revision > 0 {
			cached = in("from the watch cache: rv %d", n.Revision)
		}
		return by(in("the object as it is now"),
			map[Answer]string{FromCache: cached, FromEtcd: s.fetched(n), DryRead: in("a dry run reads it from etcd: rv %d", n.Revision), Missing: in("there is none")},
			map[Answer]string{FromCache: in("not in the cache → read from etcd"), Missing: s.missing(n)})
	case UID:
		return by(in("the object that is meant? (uid)"),
			map[Answer]string{Yes: in("the same uid"), No: s.other(n), Stale: in("not the cached copy's, which may be old → ask etcd")},
			map[Answer]string{No: in("the same → go on"), Unclear: in("another uid → 409")})
	case Patch:
		return by(in("put the patch onto it"),
			map[Answer]string{Passed: in("done"), Refused: in("it cannot be applied"), Stale: in("not onto the cached copy → ask etcd")},
			map[Answer]string{Refused: "", Unclear: in("it cannot be applied → refused")})
	case Owners:
		none := in("none")
		if s.e.request.Query.Get("force") == "true" {
			none = in("force=true: it would be taken over")
		}
		return by(in("another manager's field changed?"),
			map[Answer]string{No: none, Yes: in("yes, a field of another one"), Stale: in("yes, on the cached copy → ask etcd")},
			map[Answer]string{Yes: in("with force=true → taken over"), Unclear: in("yes → 409, unless force=true")})
	case RVGiven:
		return s.given(n)
	case Admit:
		asks := in("mutating admission")
		if s.verb == "DELETE" {
			asks = in("admission")
		}
		return by(asks, map[Answer]string{Passed: in("passed"), Refused: in("refused")},
			map[Answer]string{Refused: "", Unclear: in("refused → 4xx")})
	case RVEqual:
		other := in("another → 409")
		asks := in("is it the stored one?")
		if s.verb == "DELETE" {
			asks = in("the resourceVersion that is meant?")
		}
		return by(asks,
			map[Answer]string{Yes: s.equal(n), No: s.unequal(n), Stale: in("not the cached copy's, which may be old → ask etcd")},
			map[Answer]string{No: in("the same → go on"), Stale: in("the same → go on"), Unclear: other})
	case Reread:
		return s.reread(n)
	case Valid:
		asks, refused := in("validation, admission"), in("refused")
		switch {
		case s.verb == "POST":
			asks = in("admission and validation")
		case s.e.status() == 403:
			refused = in("refused, here or by mutating admission")
		}
		return by(asks,
			map[Answer]string{Passed: in("passed"), Refused: refused, Stale: in("not with the cached copy → ask etcd")},
			map[Answer]string{Refused: "", Unclear: in("refused → 4xx")})
	case Change:
		return by(in("would anything change?"),
			map[Answer]string{Yes: in("yes, something would"), No: in("no: no write, rv stays %d", n.Revision), Stale: in("no, against the cached copy → ask etcd")},
			map[Answer]string{No: in("yes → Txn"), Stale: in("yes → Txn"), Unclear: in("no → no write, the same rv")})
	case Finalizers:
		if s.verb == "DELETE" {
			return by(in("a finalizer, or a grace period?"),
				map[Answer]string{No: in("none: it can go now"), Yes: s.marked(n),
					Already: in("yes, and it is being deleted already: no write, rv stays %d", n.Revision)},
				map[Answer]string{Yes: in("none → deleted now"), Already: in("none → deleted now"), Unclear: in("yes → only marked as being deleted")})
		}
		if n.Answer == Stale {
			return saying{in("was that the last finalizer?"), in("yes, of the cached copy → ask etcd"), ""}
		}
		return saying{in("was that the last finalizer?"), in("yes, and the object was being deleted: it goes"), ""}
	case DryRun:
		return saying{in("a dry run?"), in("yes: nothing is stored"), ""}
	case Txn:
		return s.txn(n)
	case Taken:
		return by(in("is the name taken? (etcd)"), map[Answer]string{No: in("no, it is free"), Yes: in("yes, rv %d", n.Revision)},
			map[Answer]string{No: in("yes → 409 AlreadyExists"), Unclear: in("yes → 409 AlreadyExists")})
	case Ready:
		if n.Answer == Missing {
			return saying{in("is there a watch cache?"), in("none of this resource → etcd"), ""}
		}
		return by(in("is the watch cache filled?"), map[Answer]string{No: in("not yet")}, map[Answer]string{No: in("yes → read from it")})
	case Which:
		return s.which(n)
	}
	return s.read(n)
}

// unlessEnding is one way on for a node that the request passed, and another for the one
// where it ended.
func (s *sayer) unlessEnding(n Node, passed, ended string) map[Answer]string {
	if n.Ends {
		return map[Answer]string{n.Answer: ended}
	}
	return map[Answer]string{Unclear: passed}
}

// marked is an object that stays, as one that is being deleted.
func (s *sayer) marked(n Node) string {
	if n.Revision == 0 {
		return s.in.In("yes: marked as being deleted")
	}
	return s.in.In("yes: marked as being deleted, rv %d", n.Revision)
}

// missing is what would have become of a write of an object that there is not.
func (s *sayer) missing(n Node) string {
	switch put := s.verb == "PUT"; {
	case put && n.Ends:
		return s.in.In("of a kind that PUT may create, a Lease for one → go on")
	case put:
		return s.in.In("of a kind that PUT may not create → 404")
	case n.Ends:
		return s.in.In("apply → it creates one")
	}
	return s.in.In("any other patch → 404")
}

// other is a uid that is not the object's.
func (s *sayer) other(n Node) string {
	if n.Made {
		return s.in.In("a uid, and no object: it is not created either")
	}
	return s.in.In("another uid")
}

// reread is a second look, in etcd, and what comes of it (GuaranteedUpdate and
// conditionalDelete return the first error where the copy was no older).
func (s *sayer) reread(n Node) saying {
	in := s.in.In
	t := saying{asks: in("read it again, from etcd"), said: "rv " + number(n.Revision)}
	switch {
	case n.Revision == 0:
		t.said = in("there is none")
	case s.e.uncached():
		t.said = in("no watch cache of this resource → from etcd: rv %d", n.Revision)
	case s.verb != "DELETE" && !s.e.says("Precondition failed"): // preconditions are checked again in any case
		t.otherwise = in("as new as the copy → that stands")
	}
	return t
}

// fetched is where an object came from that did not come from the watch cache.
func (s *sayer) fetched(n Node) string {
	if s.e.uncached() {
		return s.in.In("no watch cache of this resource → from etcd: rv %d", n.Revision)
	}
	return s.in.In("the watch cache has none → from etcd: rv %d", n.Revision)
}

func (s *sayer) equal(n Node) string {
	if n.Revision > 0 {
		return n.Sent + " = " + number(n.Revision)
	}
	return s.in.In("yes, the same")
}

func (s *sayer) unequal(n Node) string {
	if n.Revision > 0 {
		return n.Sent + " ≠ " + number(n.Revision)
	}
	return s.in.In("no, another")
}

func (s *sayer) given(n Node) saying {
	in := s.in.In
	t := saying{asks: in("a resourceVersion in the request?")}
	patch := s.verb == "PATCH"
	if patch {
		t.asks = in("a resourceVersion in the patch?")
	}
	switch {
	case n.Answer == Stale && n.Sent != "":
		t.said = in("%s, not a resourceVersion → ask etcd first", n.Sent)
	case n.Answer == Stale:
		t.said = in("none, and this kind must have one → ask etcd first")
	case n.Answer == Refused:
		t.said = in("%s, not a resourceVersion", n.Sent)
	case n.Answer == Given && patch:
		t.said, t.otherwise = in("yes, %s", n.Sent), in("none → the object keeps its own: never a conflict")
	case n.Answer == Given:
		t.said, t.otherwise = in("yes, %s", n.Sent), in("none → by kind: 422, or it takes the stored one")
	case n.Answer == None && patch && s.e.nulled() && !n.Ends:
		t.said, t.otherwise = in("the patch takes it away, which this kind allows"), in("one → is it the stored one?")
	case n.Answer == None && patch && !n.Ends:
		t.said, t.otherwise = in("none: the object keeps its own, so nothing can differ"), in("one → is it the stored one?")
	case n.Answer == None && n.Ends:
		t.said, t.otherwise = in("none, and this kind must have one"), in("one → is it the stored one?")
	case n.Answer == None:
		t.said, t.otherwise = in("none, which this kind allows: it takes the stored one"), in("one → is it the stored one?")
	}
	return t
}

func (s *sayer) txn(n Node) saying {
	in := s.in.In
	compare, does := "…", "put"
	if n.Reached != NotReached && n.Sent != "" {
		compare = n.Sent
	}
	if s.verb == "DELETE" {
		does = "delete"
	}
	if n.Writes != "" {
		does = n.Writes
	}
	if s.verb == "POST" {
		compare = "0"
	}
	t := saying{asks: in("Txn: if mod=%s then %s", compare, does)}
	switch n.Answer {
	case Succeeded:
		t.said, t.otherwise = in("it held: rv %d", n.Revision), in("lost → again, on the stored one")
		switch {
		case n.Revision == 0:
			t.said = in("it held")
		case does == "delete":
			t.said = in("it held: gone, at revision %d", n.Revision)
		}
		if s.verb == "POST" {
			t.otherwise = in("lost → 409 AlreadyExists")
		}
	case Lost:
		t.said, t.otherwise = in("LOST: the stored one is %d → once more", n.Revision), in("it holds → written")
		switch {
		case s.verb == "POST":
			t.said = in("lost: the key exists")
			if len(s.e.onKey()) > 1 {
				t.said = in("lost: the key exists; then read, as it may be being deleted")
			}
		case n.Ends:
			t.said, t.otherwise = in("lost: it is gone"), ""
		}
	case Refused:
		t.said = in("refused by etcd")
	default:
		t.otherwise = in("lost → again, on the stored one")
		if s.verb == "POST" {
			t.otherwise = in("lost → 409 AlreadyExists")
		}
	}
	return t
}
