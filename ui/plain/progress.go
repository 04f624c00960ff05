package plain

import (
	"rvtui/scenarios"
	"rvtui/ui/words"
)

// progress tells a slow step's attempts as they are answered, and its watches' events as
// they come; nil for any other step, which tells them all when it is done.
func (d *driver) progress(slow string) scenarios.Progress {
	if slow == "" {
		return nil
	}
	answered, waiting, events := map[int]bool{}, map[string]bool{}, 0
	head := d.teller.history.At(len(d.teller.trace.Steps)).Etcd.Head
	return func(so scenarios.Partial) {
		for i := range so.Exchanges {
			e := &so.Exchanges[i]
			switch asked := operation(e); {
			case e.InFlight && !waiting[asked]: // what is asked again and again is told once
				waiting[asked] = true
				d.say("Waiting for the answer: %s etcd's head is %d.", Request(e, d.Lang), head)
			case !e.InFlight && !answered[i]:
				answered[i] = true
				d.say("Attempt %d: %s", i+1, Answer(e, d.Lang))
			}
		}
		for ; events < len(so.Events); events++ {
			d.say("Event: %s.", sentence(oneLine(words.Event(so.Events[events]))))
		}
	}
}
