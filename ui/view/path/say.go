package path

import (
	"strconv"

	"rvtui/ui/view"
	"rvtui/ui/words"
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

func (s *sayer) text(n Node) saying {
	in := s.in.In
	by := func(asks string, said map[Answer]string, otherwise map[Answer]string) saying {
		other, ok := otherwise[n.Answer]
		if !ok {
			other = otherwise[Unclear]
		}
		return saying{asks, said[n.Answer], other}
	}
	switch n.Question {
	case Decode:
		return by(in("read the request"),
			map[Answer]string{Passed: in("done"), Refused: in("refused before anything was looked up")},
			map[Answer]string{Passed: in("it cannot be read → 400"), Unclear: in("it cannot be read → 400")})
	case RVOnCreate:
		given := in("yes, %s, and a new object cannot have one", n.Sent)
		if n.Answer == Given && !n.Ends {
			given = in("%s, which is none, and counts for nothing", n.Sent)
		}
		return by(in("a resourceVersion on a new object?"),
			map[Answer]string{None: in("none"), Given: given},
			map[Answer]string{None: in("one → refused"), Unclear: in("one → refused")})
	case Find:
		return by(in("read it from etcd"),
			map[Answer]string{Yes: "rv " + number(n.Revision), Missing: in("there is no such object")},
			map[Answer]string{Yes: in("no such object → 404"), Unclear: in("no such object → 404")})
	case Current:
		cached := in("from the watch cache, no RPC")
		if n.Revision > 0 {
			cached = in("from the watch cache: rv %d", n.Revision)
		}
		return by(in("the object as it is now"),
			map[Answer]string{FromCache: cached, FromEtcd: s.fetched(n), DryRead: in("a dry run reads it from etcd: rv %d", n.Revision), Missing: in("there is none")},
			map[Answer]string{FromCache: in("not in the cache → read from etcd"), Missing: ""})
	case UID:
		return by(in("the object that is meant? (uid)"),
			map[Answer]string{Yes: in("the same uid"), No: in("another uid"), Stale: in("not the cached copy's → ask etcd")},
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
			map[Answer]string{No: none, Yes: in("yes"), Stale: in("yes, on the cached copy → ask etcd")},
			map[Answer]string{Yes: in("with force=true → taken over"), Unclear: in("yes → 409, unless force=true")})
	case RVGiven:
		return s.given(n)
	case RVEqual:
		other := in("another → 409")
		return by(in("is it the stored one?"),
			map[Answer]string{Yes: s.equal(n), No: s.unequal(n), Stale: in("not the cached copy's → ask etcd")},
			map[Answer]string{No: in("the same → go on"), Stale: in("the same → go on"), Unclear: other})
	case Reread:
		if n.Revision == 0 {
			return saying{in("read it again, from etcd"), in("there is none"), ""}
		}
		return saying{in("read it again, from etcd"), "rv " + number(n.Revision), ""}
	case Valid:
		asks := in("validation")
		if s.verb == "POST" {
			asks = in("admission and validation")
		}
		return by(asks,
			map[Answer]string{Passed: in("passed"), Refused: in("refused"), Stale: in("not with the cached copy → ask etcd")},
			map[Answer]string{Refused: "", Unclear: in("refused → 4xx")})
	case Change:
		return by(in("would anything change?"),
			map[Answer]string{Yes: in("yes"), No: in("no: no write, rv stays %d", n.Revision), Stale: in("no, against the cached copy → ask etcd")},
			map[Answer]string{No: in("yes → Txn"), Stale: in("yes → Txn"), Unclear: in("no → no write, the same rv")})
	case Finalizers:
		if s.verb == "DELETE" {
			return by(in("a finalizer, or a grace period?"),
				map[Answer]string{No: in("none: it can go now"), Yes: in("yes: marked as being deleted, rv %d", n.Revision)},
				map[Answer]string{Yes: in("none → deleted now"), Unclear: in("yes → only marked as being deleted")})
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
		return by(in("is the name taken? (etcd)"), map[Answer]string{No: in("no"), Yes: in("yes, rv %d", n.Revision)},
			map[Answer]string{No: in("yes → 409 AlreadyExists"), Unclear: in("yes → 409 AlreadyExists")})
	case Ready:
		if n.Answer == Missing {
			return saying{in("is there a watch cache?"), in("none of this resource → etcd"), ""}
		}
		return by(in("is the watch cache filled?"), map[Answer]string{No: in("not yet")}, map[Answer]string{No: in("yes → read from it")})
	case Which:
		return s.which(n)
	case Head:
		return saying{in("ask etcd for the newest revision"), in("%d, and for nothing else", n.Revision), ""}
	case Fresh:
		asks := in("has the watch cache got to %d?", n.Revision)
		if n.Revision == 0 {
			asks = in("has the watch cache got that far?")
		}
		return by(asks,
			map[Answer]string{Yes: in("yes"), Waited: in("it had after %s", words.Millis(n.Ms)), TimedOut: in("not within %s", words.Millis(n.Ms))},
			map[Answer]string{TimedOut: in("yes → read from it"), Unclear: in("it waits, 3 s at most")})
	case Snapshot:
		return by(in("has it a snapshot of exactly %d?", n.Revision),
			map[Answer]string{Yes: in("yes"), No: in("no → etcd")},
			map[Answer]string{No: in("yes → read from it"), Unclear: in("no → etcd")})
	case Etcd:
		at := in("at revision %d", n.Revision)
		if s.verb == "GET" {
			at = "rv " + number(n.Revision)
		}
		if n.Reached == Follows {
			at = in("there was no other way")
		}
		return by(in("read it from etcd"),
			map[Answer]string{Yes: at, Missing: in("there is no such object"), Compacted: in("revision %d is compacted", n.Revision), TimedOut: in("refused")},
			map[Answer]string{Yes: "", Compacted: in("still there → 200"), Unclear: ""})
	case Cache:
		from := in("read it from the watch cache")
		return by(from, map[Answer]string{Yes: s.fromMemory(), Missing: in("there is no such object")}, nil)
	case History:
		return by(in("does its history reach back to %d?", n.Revision),
			map[Answer]string{Yes: in("yes"), No: in("no: an ERROR event, in the 200")},
			map[Answer]string{No: in("yes → the events since then"), Unclear: in("no → an ERROR event, 410 Expired")})
	}
	return saying{asks: string(n.Question)}
}

// fromMemory says that no item was read from etcd, where that is known.
func (s *sayer) fromMemory() string {
	if s.verb == "WATCH" {
		return s.in.In("its events")
	}
	if s.e.complete() {
		if s.verb == "GET" {
			return s.in.In("the object itself was not read from etcd")
		}
		return s.in.In("its items were not read from etcd")
	}
	return s.in.In("done")
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
	return s.in.In("yes")
}

func (s *sayer) unequal(n Node) string {
	if n.Revision > 0 {
		return n.Sent + " ≠ " + number(n.Revision)
	}
	return s.in.In("no")
}

func (s *sayer) given(n Node) saying {
	in := s.in.In
	t := saying{asks: in("a resourceVersion in the request?")}
	patch := s.verb == "PATCH"
	if patch {
		t.asks = in("a resourceVersion in the patch?")
	}
	switch {
	case n.Answer == Stale:
		t.said = in("not with the cached copy → ask etcd")
	case n.Answer == Refused:
		t.said = in("%s, which is none", n.Sent)
	case n.Answer == Given && patch:
		t.said, t.otherwise = in("yes, %s", n.Sent), in("none → the object keeps its own: never a conflict")
	case n.Answer == Given:
		t.said, t.otherwise = in("yes, %s", n.Sent), in("none → does this kind allow that? no → 422 · yes → it takes the stored one")
	case n.Answer == None && patch && s.e.nulled() && !n.Ends:
		t.said, t.otherwise = in("null takes it away, which this kind allows"), in("one → is it the stored one?")
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
		t.said, t.otherwise = in("it held: rv %d", n.Revision), in("lost → it brings the stored one, and once more")
		if does == "delete" {
			t.said = in("it held: gone, at revision %d", n.Revision)
		}
		if n.Reached == Follows {
			t.said = in("it held")
		}
		if s.verb == "POST" {
			t.otherwise = in("lost → 409 AlreadyExists")
		}
	case Lost:
		t.said, t.otherwise = in("LOST: the stored one is %d → once more", n.Revision), in("it holds → written")
		switch {
		case s.verb == "POST":
			t.said = in("lost: the key exists")
		case n.Ends:
			t.said, t.otherwise = in("lost: it is gone"), ""
		}
	case Refused:
		t.said = in("refused by etcd")
	default:
		t.otherwise = in("lost → it brings the stored one, and once more")
		if s.verb == "POST" {
			t.otherwise = in("lost → 409 AlreadyExists")
		}
	}
	return t
}

func (s *sayer) which(n Node) saying {
	in := s.in.In
	t := saying{asks: in("which state is asked for?")}
	if s.e.request.Query.Get("sendInitialEvents") == "true" && n.Answer != Refused {
		t.said, t.otherwise = in("what there is, as events, and then what comes"), ""
		if n.Answer == NotOlder {
			t.said = in("what there is, not older than %s, and then what comes", n.Sent)
		}
		return t
	}
	switch n.Answer {
	case Newest:
		t.said = in("the newest (no resourceVersion)")
		switch s.verb {
		case "GET":
			t.otherwise = in("resourceVersion=0 or N → watch cache")
		case "WATCH":
			t.said = in("the newest, as ADDED events, and then what comes")
		default:
			t.otherwise = in("0 or N → watch cache · Exact → a snapshot, or etcd")
		}
	case Any:
		t.said, t.otherwise = in("any (resourceVersion=0): what the watch cache has"), in("none → the newest")
		if s.verb == "WATCH" {
			t.said = in("any (0), as ADDED events, and then what comes")
		}
	case NotOlder:
		t.said, t.otherwise = in("not older than %s", n.Sent), in("none → the newest")
		if s.verb == "WATCH" {
			t.said, t.otherwise = in("what came after %s", n.Sent), in("none → what there is first")
		}
	case Exact:
		t.said, t.otherwise = in("exactly %s", n.Sent), in("none → the newest")
	case SingleExact:
		t.said, t.otherwise = in("exactly %s, of one name: etcd's alone", n.Sent), in("the whole collection → a snapshot, if there is one")
	case NextPage:
		t.said = in("the next page, of exactly %s", n.Sent)
	case Refused:
		t.said = in("refused before the store was asked")
		if n.Sent != "" && n.Revision == 0 && n.Sent != "0" {
			t.said = in("%s, which is none", n.Sent)
		}
	}
	return t
}
