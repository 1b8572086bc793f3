package launch

import (
	"fmt"

	"kumiko/kernel/host"
)

// step is one of the host's actions, executed in order: a launch, or a write to a buffer.
type step interface{ run(d *host.Device) error }

// bodies are the keys of a [[launch]] for its action.
var bodies = []string{"kernel", "memset", "update", "bind", "step"}

// step reads one [[launch]]. It returns nil after an error.
func (r *reader) step(v *value) step {
	found := 0
	for _, k := range bodies {
		if v.get(k) != nil {
			found++
		}
	}
	switch {
	case found > 1:
		r.errorf(v.place, "found %d of kernel, memset, update, bind and step, expected one", found)
		return nil
	case v.get("memset") != nil:
		return r.filling(v, "memset")
	case v.get("update") != nil:
		return r.filling(v, "update")
	case v.get("bind") != nil:
		return r.binding(v)
	case v.get("step") != nil:
		return r.group(v)
	}
	return r.rounds(v, func() []step { return []step{r.launch(v)} })
}

// filling is a buffer, or a part of one, filled by the host between launches.
type filling struct {
	place
	program *Program
	to      *buffer
}

// filling reads memset = {buffer, value}, to set every element to one value, or update = {buffer, init}, to fill
// the buffer as at the beginning. Both may name a part of the buffer.
func (r *reader) filling(v *value, key string) step {
	r.keys(v, key)
	r.counted(v.place)
	what := v.get(key)
	if !r.is(what, kindTable) {
		return nil
	}
	old := r.part(what)
	var init *value
	if key == "memset" {
		r.keys(what, "buffer", "first", "count", "value")
	} else {
		r.keys(what, "buffer", "first", "count", "init")
		init = r.need(what, "init", "the contents", kindTable)
	}
	if old == nil || old.unsound {
		return nil
	}
	to := *old // with initial contents of its own
	to.of, to.first, to.fill = old, 0, nil
	if old.of != nil {
		to.of, to.first = old.of, old.first
	}
	if key == "memset" {
		r.constant(&to, what)
	} else if init != nil {
		r.init(&to, init)
		if to.fill == nil { // zeros, not already there as at the beginning
			to.fill = func(data []byte) { clear(data) }
		}
	}
	return &filling{what.place, r.p, &to}
}

func (f *filling) run(d *host.Device) error {
	f.program.joins = true
	if err := f.to.set(d); err != nil {
		return f.wrap(err)
	}
	return nil
}

// counted counts the host's actions, in all rounds, and reports an error at the first excess.
func (r *reader) counted(at place) {
	if r.count += r.times; r.count > r.lim.Launches && r.count-r.times <= r.lim.Launches {
		r.errorf(at, "found %d launches up to here, repeats counted, expected at most %d (--max-launches %d)", r.count,
			r.lim.Launches, r.lim.Launches)
	}
}

// run resolves the arguments and launches the kernel.
func (l *launch) run(d *host.Device) error {
	h := l.host
	if l.stream > 0 {
		h.Queue = l.queue()
	}
	var err error
	if h.Args, err = l.resolve(); err != nil {
		return err
	}
	if err := d.Launch(&h); err != nil {
		return fmt.Errorf("%s: launch %d (%s): %w", l.pos, l.number, h.Kernel, err)
	}
	return nil
}
