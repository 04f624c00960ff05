package timeline

import (
	"strconv"

	"rvtui/scenarios"
	"rvtui/ui/cells"
)

// lanes says where everything stands, in cells from the left.
type lanes struct {
	width     int // of the whole diagram, which can be wider than the view
	step      int // cells for the step's number, with its mark
	time      int // cells for the time; 0 where there is no room
	x         [slots]int
	last      int // the lane next to the apiserver's, where labels begin
	apiserver int
	etcd      int
}

// How wide the parts are, in cells.
const (
	timeWidth  = 8
	leastLane  = 4  // from one writer to the next
	leastCalls = 20 // from the last writer to the apiserver
	leastRPCs  = 19 // from the apiserver to etcd
)

func (x *Index) lanes(width int) lanes {
	l := lanes{step: len(strconv.Itoa(len(x.steps)-1)) + 2}
	left, right := l.step, 9
	if width >= 80 {
		right = 12
	}
	if width >= 100 {
		l.time = timeWidth
		left += timeWidth + 2
	}
	n := 0
	for _, acts := range x.acts {
		if acts {
			n++
		}
	}
	room := width - left - right - 1
	apart := min(max(room/7, leastLane), 28) // of writers
	if n > 2 {
		apart = min(max(min(room/(4*(n-1)), (room-leastCalls-leastRPCs)/(n-1)), leastLane), 20)
	}
	between := max(0, n-1) * apart
	rpcs := min(max((room-between)*46/100, leastRPCs), 50)
	calls := min(max(room-between-rpcs, leastCalls), 64)
	at := left
	l.last = at
	for slot := range slots {
		l.x[slot] = -1
		if x.acts[slot] {
			l.x[slot], l.last = at, at
			at += apart
		}
	}
	l.apiserver = l.last + calls
	l.etcd = l.apiserver + rpcs
	l.width = max(l.etcd+1+right, width)
	return l
}

// names are the lanes' names, each over its lane.
func (d *drawing) names() cells.Line {
	c := &d.canvas
	c.clear(d.lanes.width)
	if d.lanes.time > 0 {
		c.put(d.lanes.step+d.lanes.time-2, "ms", &d.in.Theme.Dim)
	}
	end := d.lanes.step
	over := func(x int, name string, room int) {
		if len(name) > room {
			name = name[:3]
		}
		from := max(end, x-(len(name)-1)/2)
		c.put(from, name, d.in.Actor(scenarios.Actor(name)))
		end = from + len(name) + 1
	}
	for slot, x := range d.lanes.x {
		if x < 0 {
			continue
		}
		next := d.lanes.apiserver
		for _, other := range d.lanes.x[slot+1:] {
			if other >= 0 {
				next = other
				break
			}
		}
		over(x, string(actors[slot]), next-x-2)
	}
	over(d.lanes.apiserver, "apiserver", 9)
	over(d.lanes.etcd, "etcd", 9)
	return c.line(d.right, d.in.Size.Width)
}
