package scenarios

import "slices"

// Part is one of a setup's steps. It counts how much of the setup's evidence there was once it
// was done: what it brought itself is what follows on that of the part before.
type Part struct {
	ID        string `json:"id,omitempty"` // by which expressions name it
	Actor     Actor  `json:"actor"`        // who did it
	Operation string `json:"operation"`    // as in a plan

	Exchanges int `json:"exchanges"` // until then, from the setup's beginning
	RPCs      int `json:"rpcs"`      // the same
	Revisions int `json:"revisions"` // the same
	Events    int `json:"events"`    // the same
	Client    int `json:"client"`    // the same

	DurationMs float64 `json:"durationMs"` // of the part alone

	Objects []Object  `json:"objects"` // after the part
	Etcd    EtcdState `json:"etcd"`    // after the part
}

// partsTell reports whether a setup's parts say what the setup as a whole does not: later
// steps can name one of several.
func partsTell(setup []Step) bool {
	return len(setup) > 1 && slices.ContainsFunc(setup, func(s Step) bool { return s.ID != "" })
}

// partNow is the part of a setup that has just been merged.
func (o *Observation) partNow(s *Step, durationMs float64) Part {
	return Part{
		ID: s.ID, Actor: s.Actor, Operation: s.operationText(),
		Exchanges: len(o.Exchanges), RPCs: len(o.RPCs), Revisions: len(o.Revisions), Events: len(o.Events), Client: len(o.Client),
		DurationMs: durationMs, Objects: listOf(o.Objects), Etcd: o.Etcd,
	}
}

// rememberPart keeps the values of the setup's step i for later steps, where it has an id.
func (j *judging) rememberPart(s *Step, setup *Observation, i int) {
	if s.ID == "" {
		return
	}
	var from Part
	if i > 0 {
		from = setup.Parts[i-1]
	}
	to := setup.Parts[i]
	until := Observation{
		Exchanges: setup.Exchanges[:to.Exchanges], RPCs: setup.RPCs[:to.RPCs], Revisions: setup.Revisions[:to.Revisions],
		Events: setup.Events[:to.Events], Client: setup.Client[:to.Client], Objects: to.Objects, Etcd: to.Etcd,
	}
	after := NewHistory(&Trace{Setup: &until}).At(0)
	brought := until
	brought.Actor, brought.DurationMs = s.Actor, to.DurationMs
	brought.Exchanges, brought.Events, brought.Client = until.Exchanges[from.Exchanges:], until.Events[from.Events:], until.Client[from.Client:]
	brought.RPCs, brought.Revisions = slices.Clone(until.RPCs[from.RPCs:]), slices.Clone(until.Revisions[from.Revisions:])
	for i := range brought.RPCs {
		brought.RPCs[i].Exchange = within(brought.RPCs[i].Exchange, from.Exchanges)
	}
	j.steps[s.ID] = j.rememberedValues(&brought, after)
}

// within is an index into the setup's exchanges as one into its part's.
func within(index *int, from int) *int {
	if index == nil {
		return nil
	}
	return new(*index - from)
}

// partsOf are the parts of a recorded setup; false where it does not tell them apart, or not
// as they can be.
func partsOf(setup *Observation, steps []Step) ([]Part, bool) {
	if len(setup.Parts) == 0 && len(steps) == 1 && len(setup.Exchanges)+len(setup.RPCs) > 0 { // the whole is its one part
		s := steps[0]
		return []Part{setup.partNow(&s, setup.DurationMs)}, true
	}
	if len(setup.Parts) != len(steps) {
		return nil, false
	}
	var before Part
	for _, part := range append(slices.Clone(setup.Parts), setup.partNow(&Step{}, 0)) {
		if part.Exchanges < before.Exchanges || part.RPCs < before.RPCs || part.Revisions < before.Revisions || part.Events < before.Events || part.Client < before.Client {
			return nil, false
		}
		before = part
	}
	return setup.Parts, true
}
