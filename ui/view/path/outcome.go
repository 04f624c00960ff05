package path

import (
	"rvtui/scenarios"
	"rvtui/ui/words"
)

// last is the look that the answer came from: no RPC came after it.
func (u *updating) last() {
	reached := Seen
	if !u.fresh { // nothing shows the way here: only the answer does
		reached = Follows
	}
	switch question := u.failing(); {
	case u.succeeded() && u.dry:
		u.passed(DryRun, reached)
		u.add(Node{Question: DryRun, Answer: Yes, Reached: reached, Round: u.round, Ms: unknown, Ends: true})
	case u.succeeded() && u.fresh && u.complete():
		u.passed(Change, reached)
		u.add(Node{Question: Change, Answer: No, Round: u.round, Revision: u.live, Ms: unknown, Ends: true})
	case u.succeeded():
		u.passed(Change, reached)
		u.unseen()
	case question != "":
		u.passed(question, reached)
		n := Node{Question: question, Answer: No, Reached: reached, Round: u.round, Sent: u.sent, Revision: u.live, Made: u.made, Ms: unknown, Ends: true}
		switch question {
		case Owners:
			n.Answer = Yes
		case Patch, Admit, Valid:
			n.Answer = Refused
		case RVGiven:
			n.Answer = None
			if u.sent != "" {
				n.Answer = Refused
			}
		}
		u.add(n)
	default:
		u.asked(u.round, u.sent, u.order()...)
		u.ended = true
	}
}

// failing is the question that the answer says no to; "" where it is none of them.
func (u *updating) failing() Question {
	switch {
	case u.succeeded():
		return ""
	case u.says("Precondition failed: UID"), u.says("uid mismatch"):
		return UID
	case u.says("the object has been modified"):
		return RVEqual
	case u.says("Apply failed with"):
		return Owners
	case u.says("must be specified for an update"), u.sent != "" && scenarios.ParseRevision(u.sent) == 0:
		return RVGiven
	case u.unpatched():
		return Patch
	case u.status() == 403 && u.sent != "" && u.live > 0 && scenarios.ParseRevision(u.sent) != u.live:
		return Admit // the resourceVersion would have been refused next
	case u.status() == 422, u.status() == 403:
		return Valid
	}
	return ""
}

// unseen is the end of a write that succeeded where no RPC shows it: what was sent and what
// came back tell whether anything was written.
func (u *updating) unseen() {
	metadata, _ := words.Object(u.evidence.sent.ResponseBody)["metadata"].(map[string]any)
	stored, _ := metadata["resourceVersion"].(string)
	rv := scenarios.ParseRevision(stored)
	gone := metadata["deletionTimestamp"] != nil // it may have been the last finalizer
	switch {
	case rv == 0 || gone || u.sent == "" && u.status() != 201:
		u.asked(u.round, u.sent, Change, Txn)
		u.ended = true
	case stored == u.sent:
		u.add(Node{Question: Change, Answer: No, Reached: Follows, Round: u.round, Revision: rv, Ms: unknown, Ends: true})
	default:
		u.add(Node{Question: Change, Answer: Yes, Reached: Follows, Round: u.round, Ms: unknown})
		u.add(Node{Question: Txn, Answer: Succeeded, Reached: Follows, Round: u.round, Sent: u.sent, Revision: rv, Writes: "put", Ms: unknown, Ends: true})
	}
}

// unpatched reports whether the last try to apply the patch did not come to admission.
func (u *updating) unpatched() bool {
	handler := u.span("Patch")
	if handler == nil {
		// A JSON patch's own 422 carries no cause; one of validation says what is invalid.
		return u.request.PatchType == "json" && u.status() == 422 && !u.says(" is invalid")
	}
	const apply, admit = "About to apply patch", "About to check admission control"
	last := ""
	for _, event := range handler.Events {
		if event.Name == apply || event.Name == admit {
			last = event.Name
		}
	}
	return last == apply
}
