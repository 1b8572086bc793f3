package control

import (
	"fmt"
	"slices"

	"kumiko/kernel/ir"
)

// checker plays a list of instructions by their control words and finds faults. It has the latencies, and is
// independent of the making of the words. The times of operations of variable latency are given: from issue to the
// reading of the sources, and to the results.
type checker struct {
	m           *Machine
	read, write func(i int) int
}

// event is when an instruction issued, and when its sources are read and its results are there.
type event struct {
	in          *ir.Inst
	g           *group
	at          int
	read, ready int // of variable latency
}

// play returns the first fault of a list, possibly a path through a kernel.
func (c *checker) play(code []*ir.Inst) error {
	var list []event
	now := 0
	for i, in := range code {
		e := event{in: in, g: c.m.groupOf(in)}
		for again := true; again; {
			again = false
			for _, o := range list {
				if c.up(&o, in.Control.Wait, now) {
					now, again = now+1, true
				}
			}
		}
		e.at, e.read, e.ready = now, now+c.read(i), now+c.read(i)+c.write(i)
		for j := range list {
			if err := c.pair(&list[j], &e); err != nil {
				return fmt.Errorf("instruction %d at %d and %d at %d: %w", j, list[j].at, i, e.at, err)
			}
		}
		list = append(list, e)
		k := &in.Control
		pair := k.Stall == 0 && c.m.pairs && i+1 < len(code) && ir.Pairs(in, code[i+1])
		if k.Stall < 1 && !pair || k.Stall > mostStall ||
			k.Yield != (k.Stall >= leastYield) || int(k.Stall) < e.g.stall && !pair {
			return fmt.Errorf("instruction %d: stall %d, yield %v", i, k.Stall, k.Yield)
		}
		now += int(k.Stall)
	}
	return nil
}

// up reports whether one of the counters is seen up because of an instruction.
func (c *checker) up(o *event, wait uint8, now int) bool {
	k := &o.in.Control
	if now < o.at+2 {
		return false // not seen yet
	}
	return k.Write < ir.Counters && wait>>k.Write&1 != 0 && now <= o.ready ||
		k.Read < ir.Counters && wait>>k.Read&1 != 0 && now <= o.read
}

// pair checks the dependences between two instructions, the first issued before the second.
func (c *checker) pair(a, b *event) error {
	for _, n := range results(a.in, nil) {
		if slices.Contains(sources(b.in, nil), n) {
			if err := c.raw(a, b, n); err != nil {
				return err
			}
		}
		if slices.Contains(results(b.in, nil), n) {
			late, early := c.end(b, n), c.end(a, n)
			if !a.g.fixed && b.at <= a.ready {
				return fmt.Errorf("name %d is written before the first writer is done at %d", n, a.ready)
			}
			if a.g.fixed && late <= early {
				return fmt.Errorf("name %d is written in the wrong order, at %d and %d", n, early, late)
			}
		}
	}
	for _, n := range sources(a.in, nil) {
		if !slices.Contains(results(b.in, nil), n) || n >= firstPred {
			continue
		}
		need := a.at + c.m.war[0]
		switch {
		case !a.g.fixed:
			need = a.read + 1
		case !b.g.fixed:
			need = a.at + c.m.war[1]
		}
		if b.at < need {
			return fmt.Errorf("R%d is written before it is read", n)
		}
	}
	return nil
}

// raw checks a result against its readers.
func (c *checker) raw(a, b *event, n int) error {
	if !a.g.fixed {
		if b.at <= a.ready {
			return fmt.Errorf("name %d is read before it is there at %d", n, a.ready)
		}
		return nil
	}
	d := a.g.distancesTo(n)
	need := d.to[b.g.reads]
	if n >= firstPred && b.in.Guard.Kind == ir.KindPred && int(b.in.Guard.Reg) == n-firstPred {
		need = d.to[byGuard]
	} else if n >= firstPred && a.in.Mods.CarryOut && b.in.Mods.CarryIn {
		need = a.g.result.to[b.g.reads]
	}
	if b.at < a.at+need {
		return fmt.Errorf("name %d is read before %d", n, a.at+need)
	}
	return nil
}

// end returns the cycle at which a result is written, as far as known.
func (c *checker) end(e *event, n int) int {
	if e.g.fixed {
		return e.at + e.g.distancesTo(n).least() + c.m.reads.extra(e.in)
	}
	return e.at + 1
}
