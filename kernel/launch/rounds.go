package launch

import (
	"fmt"

	"kumiko/kernel/host"
)

// rounds are repeated steps, like the host's loop around its launches.
type rounds struct {
	times int
	while *condition // nil: exactly times rounds
	swap  []*buffer  // two, exchanging their memory at the end of each round, or none
	body  []step
}

// condition is the host's condition for another round: an element of a buffer has a given value. It is evaluated at
// the end of a round, for at most limit rounds.
type condition struct {
	place
	element *buffer // of one
	equals  uint64
	limit   int
	program *Program
}

// rounds reads the number of rounds, and the steps by calling read.
func (r *reader) rounds(v *value, read func() []step) step {
	loop := &rounds{times: r.upTo(int64(r.lim.Launches), v, "repeat", fmt.Sprint("--max-launches ",
		r.lim.Launches)), swap: r.swap(v)}
	most := loop.times
	if w := v.get("while"); w != nil {
		if loop.while = r.while(w); loop.while != nil {
			most = loop.while.limit
		}
		if v.get("repeat") != nil {
			r.errorf(w.place, "found repeat and while, expected one of them")
		}
	}
	outer := r.times
	r.times = min(r.times*most, r.lim.Launches+1)
	loop.body = read()
	r.times = outer
	return loop
}

// group reads the steps of a [[launch]] with steps of its own.
func (r *reader) group(v *value) step {
	r.keys(v, "step", "repeat", "while", "swap")
	return r.rounds(v, func() []step {
		before, errs := len(r.p.launches), len(r.errs)
		var body []step
		for _, e := range r.tables(v, "step") {
			body = append(body, r.step(e))
		}
		if len(r.p.launches) == before && len(r.errs) == errs {
			r.errorf(v.place, "found no step with a kernel, expected at least one")
		}
		return body
	})
}

// while reads {buffer, element, equals, limit}.
func (r *reader) while(v *value) *condition {
	if !r.is(v, kindTable) {
		return nil
	}
	r.keys(v, "buffer", "element", "equals", "limit")
	c := &condition{place: v.place, limit: 1, program: r.p}
	if r.need(v, "limit", "the largest number of rounds", kindInt) != nil {
		c.limit = r.upTo(int64(r.lim.Launches), v, "limit", fmt.Sprint("--max-launches ", r.lim.Launches))
	}
	b := r.bufferOf(v)
	if b == nil || b.unsound {
		return c
	}
	c.element = &buffer{place: b.place, name: b.name, typ: b.typ, count: 1, of: b}
	c.element.first = int(r.integer(v, "element", 0, 0, int64(b.count-1)))
	e := v.get("equals")
	if e == nil {
		r.errorf(v.place, "found no equals, expected the value that asks for another round")
		return c
	}
	c.equals, _ = r.scalar(e, b.typ)
	return c
}

// swap reads the names of two buffers.
func (r *reader) swap(v *value) []*buffer {
	e := v.get("swap")
	if e == nil || !r.is(e, kindList) {
		return nil
	}
	if len(e.list) != 2 {
		r.errorf(e.place, "found %d names, expected those of two buffers", len(e.list))
		return nil
	}
	var out []*buffer
	for _, name := range e.list {
		if !r.is(name, kindString) {
			continue
		}
		b := r.p.buffers[name.str]
		switch {
		case b == nil:
			r.errorf(name.place, "found the buffer %q, expected one of [buffers]", name.str)
		case b.symbol != "":
			r.errorf(name.place, "found the buffer %q, which is a variable, expected one that can change places",
				name.str)
		case !b.unsound:
			out = append(out, b)
		}
	}
	if len(out) < 2 {
		return nil
	}
	if a, b := out[0], out[1]; a == b || a.typ != b.typ || a.count != b.count {
		r.errorf(e.place, "found %d %s of %q and %d %s of %q, expected two buffers of one type and count",
			a.count, a.typ, a.name, b.count, b.typ, b.name)
	}
	return out
}

func (l *rounds) run(d *host.Device) error {
	for n := 1; ; n++ {
		for _, s := range l.body {
			if err := s.run(d); err != nil {
				return err
			}
		}
		if l.swap != nil {
			l.swap[0].addr, l.swap[1].addr = l.swap[1].addr, l.swap[0].addr
		}
		if l.while == nil && n == l.times {
			return nil
		}
		if l.while != nil {
			if more, err := l.while.holds(d, n); !more || err != nil {
				return err
			}
		}
	}
}

// holds reports whether another round follows round n.
func (c *condition) holds(d *host.Device, n int) (bool, error) {
	c.program.joins = true
	b := c.element
	data, err := b.bytes(d)
	if err != nil {
		return false, c.wrap(err)
	}
	is := b.get(data, 0)
	if distance(is, c.equals&mask(b.typ), b.typ) != 0 {
		return false, nil
	}
	if n == c.limit {
		err := fmt.Errorf("found element %d of %q to be %v after %d rounds, expected another value by then", b.first,
			b.name, show(is, b.typ), n)
		return false, c.wrap(err)
	}
	return true, nil
}
