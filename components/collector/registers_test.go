package collector

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/wire/wiretest"
)

// withRegisters is a rig with issue registers, whose scheduler is notified of accepted operations.
func withRegisters(t *testing.T, s Spec) (*rig, *wiretest.Sink[op.Taken]) {
	r := newRig(t, s, false)
	return r, wiretest.NewSink("Room", r.d, &r.x.Taken[0], 8)
}

// A collector for each of two units. Two operations for unit 0 arrive at 1 and 2, one for unit 1 at 3, all without
// sources. The unit accepts nothing before 20, so the first operation stays in its collector and the second waits.
func TestAnOperationInAnIssueRegisterWaitsForThoseOfItsOwnUnitAlone(t *testing.T) {
	for _, c := range []struct {
		registers int
		passes    bool
	}{{0, false}, {2, true}} {
		s := general(1)
		s.Kinds, s.Registers = []Kind{{1, 1}, {1, 2}}, c.registers
		r := newRig(t, s, false)
		if c.registers > 0 {
			wiretest.NewSink("Room", r.d, &r.x.Taken[0], 8)
		}
		first, second := r.send(1, 0, 4), r.send(2, 0) // the first waits for a source
		other := r.send(3, 1)
		r.d.RunUntil(15)
		if got := len(tags(r.units[1])) == 1; got != c.passes {
			t.Errorf("%d registers: operation %d of the other unit has passed: %v, want %v", c.registers, other.Tag,
				got, c.passes)
		}
		r.answer(20, 0, 0)
		r.d.RunUntil(40)
		same(t, "operations of unit 0", []uint32{first.Tag, second.Tag}, tags(r.units[0]))
		same(t, "operations of unit 1", []uint32{other.Tag}, tags(r.units[1]))
	}
}

// One collector, and operations with a source available in the cycle of its request: operations for units 0, 0, 0
// and 1 wait for the collector.
func TestUnitsTakeTurnsAtACollectorThatIsFree(t *testing.T) {
	s := general(1)
	s.Registers = 3
	r, taken := withRegisters(t, s)
	var sent []op.Op
	for i, unit := range []int{0, 0, 0, 1} {
		sent = append(sent, r.send(1+uint64(i), unit, 4))
	}
	for at := uint64(10); at < 50; at += 10 {
		r.give.Send(at-1, bank.Value{})
	}
	r.d.RunUntil(7)
	same(t, "what is waited for", "1 of 1 collectors allocated, 3 operations wait for one; warp 1 waits for R4 "+
		"(operation 1)", r.x.Waiting())
	r.d.RunUntil(60)
	same(t, "unit 0", []uint32{sent[0].Tag, sent[1].Tag, sent[2].Tag}, tags(r.units[0]))
	same(t, "unit 1", []uint32{sent[3].Tag}, tags(r.units[1]))
	var units []uint8
	for _, g := range taken.Got {
		units = append(units, g.Msg.Unit)
	}
	same(t, "order of what was taken", []uint8{0, 1, 0, 0}, units)
}
