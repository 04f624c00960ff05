package path

import (
	"rvtui/scenarios"
	"rvtui/ui/words"
)

// read is a question of a read in words.
func (s *sayer) read(n Node) saying {
	in := s.in.In
	by := n.by
	switch n.Question {
	case Ready:
		if n.Answer == Missing {
			return saying{in("is there a watch cache?"), in("none of this resource → etcd"), ""}
		}
		if !n.Ends {
			return saying{in("is the watch cache filled?"), in("not yet → etcd"), in("filled → read from it")}
		}
		return by(in("is the watch cache filled?"), map[Answer]string{No: in("not yet")}, map[Answer]string{No: in("filled → read from it")})
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
			map[Answer]string{Yes: in("yes, it has"), Waited: in("it had after %s", words.Millis(n.Ms)), TimedOut: in("not within %s", words.Millis(n.Ms))},
			map[Answer]string{TimedOut: in("yes → read from it"), Unclear: in("it waits, 3 s at most")})
	case Snapshot:
		return by(in("a cached snapshot of exactly %d?", n.Revision),
			map[Answer]string{Yes: in("yes, there is one"), No: in("no → etcd")},
			map[Answer]string{No: in("there is one → read from it"), Unclear: in("no → etcd")})
	case Etcd:
		at := in("at revision %d", n.Revision)
		switch {
		case s.verb == "WATCH":
			at = in("its events")
		case n.Reached == Follows:
			at = in("there was no other way")
		case n.Revision == 0:
			at = in("done")
		case s.verb == "GET":
			at = "rv " + number(n.Revision)
		}
		return by(in("read it from etcd"),
			map[Answer]string{Yes: at, Missing: in("there is no such object"), Compacted: in("revision %d is compacted", n.Revision), Refused: in("refused")},
			map[Answer]string{Compacted: in("still there → 200")})
	case Cache:
		from := in("read it from the watch cache")
		return by(from, map[Answer]string{Yes: s.fromMemory(), Missing: in("there is no such object")}, nil)
	case History:
		return by(in("does the cache reach back to %d?", n.Revision),
			map[Answer]string{Yes: in("yes, it does"), No: in("no: an ERROR event, in the 200"),
				Ahead: in("nothing is that new yet: no error, and no event until something is")},
			map[Answer]string{No: in("yes → the events since then"), Ahead: "", Unclear: in("no → an ERROR event, 410 Expired")})
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
	cached := !s.e.uncached() // without a watch cache, all of them lead to etcd
	switch n.Answer {
	case Newest:
		t.said = in("the newest (no resourceVersion)")
		switch {
		case s.verb == "WATCH":
			t.said, t.otherwise = in("none is named: what the cache has, as ADDED events, and then what comes"), in("N → what came after N")
		case s.verb == "GET" && cached:
			t.otherwise = in("resourceVersion=0 or N → watch cache")
		case cached:
			t.otherwise = in("0 or N → watch cache · Exact → a snapshot, or etcd")
		}
	case Any:
		t.said, t.otherwise = in("any (resourceVersion=0): what the watch cache has"), in("none → the newest")
		switch {
		case s.verb == "WATCH":
			t.said, t.otherwise = in("any (0), as ADDED events, and then what comes"), in("N → what came after N")
		case !cached:
			t.said = in("any (resourceVersion=0)")
		}
	case NotOlder:
		t.said, t.otherwise = in("not older than %s", n.Sent), in("none → the newest")
		if s.verb == "WATCH" {
			t.said, t.otherwise = in("what came after %s", n.Sent), in("none → what there is first")
		}
	case Exact:
		t.said, t.otherwise = in("exactly %s", n.Sent), in("none → the newest")
	case SingleExact:
		t.said, t.otherwise = in("exactly %s, of one name: always from etcd", n.Sent), in("the whole collection → a snapshot, if there is one")
	case NextPage:
		t.said = in("the next page, of exactly %s", n.Sent)
	case NewestPage:
		t.said, t.otherwise = in("the next page, of the newest (the token names no revision)"), in("a token with one → exactly that one")
	case Refused:
		t.said = in("refused before the store was asked")
		if n.Sent != "" && n.Sent != "0" && scenarios.ParseRevision(n.Sent) == 0 {
			t.said = in("%s, not a resourceVersion", n.Sent)
		}
	}
	return t
}
