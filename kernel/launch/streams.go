package launch

import (
	"slices"

	"kumiko/kernel/host"
)

// mostStreams bounds the number of a stream. Chips run at most 128 grids at once (CUDA C++ Programming Guide, technical
// specifications).
const mostStreams = 128

// stream reads the stream of a launch, its name, and the names of the launches that have to end before it begins.
func (r *reader) stream(v *value, l *launch) {
	l.stream = int(r.integer(v, "stream", 0, 0, mostStreams))
	if name := v.get("name"); name != nil && r.is(name, kindString) {
		if r.named == nil {
			r.named = map[string]*launch{}
		}
		if r.named[name.str] != nil {
			r.errorf(name.place, "found a second launch of the name %q, expected a name for each", name.str)
		} else {
			r.named[name.str] = l
		}
	}
	list := v.get("after")
	if list == nil || !r.is(list, kindList) {
		return
	}
	if l.stream == 0 {
		r.errorf(list.place, "found after in a launch of the default stream, which waits for all before it, expected "+
			"stream too, from 1 to %d", mostStreams)
	}
	for _, name := range list.list {
		if !r.is(name, kindString) {
			continue
		}
		before := r.named[name.str]
		if before == nil || before == l {
			r.errorf(name.place, "found %q, expected the name of a launch above", name.str)
			continue
		}
		if !slices.Contains(l.after, before) {
			l.after = append(l.after, before)
		}
	}
}

// queue returns the stream of a launch, and the launches for which it waits: the latest round of each.
func (l *launch) queue() *host.Queue {
	q := &host.Queue{Stream: l.stream, ID: l.number, Joins: l.program.joins}
	l.program.joins = false
	for _, b := range l.after {
		q.After = append(q.After, b.number)
	}
	return q
}
