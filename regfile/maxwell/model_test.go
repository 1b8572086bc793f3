package maxwell

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// The model of this file is the pipeline described in the package documentation, without ports, masks and rings:
// instructions in a list, the registers kept by collectors in a map.

// modelOp is an instruction, visible from a cycle on.
type modelOp struct {
	at    wire.Cycle
	warp  uint16
	src   []ir.RegID
	flags uint8

	want      []ir.RegID // to be read yet
	collector int
	second    *modelOp // issued in the same cycle, to another unit; it is not cached
}

// place is where a collector keeps a register of an operand slot.
type place struct{ slot, collector int }

type kept struct {
	warp uint16
	reg  ir.RegID
	flag bool
}

type model struct {
	stages, banks int
	place         map[place]kept
	hits          int
}

// run returns the cycles in which instructions leave the last stage.
func (m *model) run(list []modelOp) (left []wire.Cycle) {
	m.place = map[place]kept{}
	pipe := make([]*modelOp, m.stages)
	last := m.stages - 1
	for now := wire.Cycle(1); len(list) > 0 || slices.ContainsFunc(pipe, func(o *modelOp) bool {
		return o != nil
	}); now++ {
		if pipe[0] == nil && len(list) > 0 && list[0].at <= now {
			pipe[0] = &list[0]
			m.take(pipe[0], pipe[1:])
			if s := pipe[0].second; s != nil {
				s.want = slices.Compact(slices.Sorted(slices.Values(s.src)))
			}
			list = list[1:]
		}
		for b := range m.banks {
			m.serve(b, pipe)
		}
		if o := pipe[last]; o != nil {
			if len(o.want) > 0 || o.second != nil && len(o.second.want) > 0 {
				continue
			}
			left = append(left, now)
		}
		copy(pipe[1:], pipe[:last])
		pipe[0] = nil
	}
	return left
}

// serve lets a bank serve the oldest instruction with a register to read there.
func (m *model) serve(b int, pipe []*modelOp) {
	for i := len(pipe) - 1; i >= 0; i-- {
		for o := pipe[i]; o != nil; o = o.second {
			for k, r := range o.want {
				if int(r)%m.banks == b {
					o.want = slices.Delete(o.want, k, k+1)
					return
				}
			}
		}
	}
}

// take assigns a free collector to an instruction, and determines the registers to read.
func (m *model) take(o *modelOp, others []*modelOp) {
	var free []int
	for k := range m.stages {
		if !slices.ContainsFunc(others, func(p *modelOp) bool { return p != nil && p.collector == k }) {
			free = append(free, k)
		}
	}
	o.collector = free[0]
	hit := func(slot, k int) bool {
		e, ok := m.place[place{slot, k}]
		return ok && e == kept{o.warp, o.src[slot], true}
	}
	rank := func(k int) int { // 0: a hit, 1: nothing flagged, 2: others
		rank := 1
		for slot := range ir.OperandSlots {
			if slot < len(o.src) && hit(slot, k) {
				return 0
			}
			if m.place[place{slot, k}].flag {
				rank = 2
			}
		}
		return rank
	}
	for _, k := range free { // what reads nothing takes the lowest
		if len(o.src) > 0 && rank(k) < rank(o.collector) {
			o.collector = k
		}
	}
	for slot, r := range o.src {
		at, found := o.collector, false
		for k := range m.stages {
			if hit(slot, k) {
				at, found = k, true
			}
		}
		m.place[place{slot, at}] = kept{o.warp, r, o.flags>>slot&1 != 0}
		if found {
			m.hits++
		} else if !slices.Contains(o.want, r) {
			o.want = append(o.want, r)
		}
	}
}

// Operands are checked as well: every hit must have the right version.
func TestRandomInstructionsLeaveWhenTheModelSays(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{stages: rapid.IntRange(minStages, 4).Draw(rt, "stages"),
			banks: rapid.IntRange(1, 5).Draw(rt, "banks")}
		r := newRigIn(t, func(s *Spec) { s.Stages, s.Banks = m.stages, m.banks },
			func(e *regfile.Env) { e.IssueWidth = 2 })
		at := wire.Cycle(20)
		for w := range uint16(3) { // every register has a version
			for reg := range ir.RegID(8) {
				in := fma(int(reg), 0)
				r.write(at+1, r.send(at, w, 0, in), w, in)
				at++
			}
		}
		at += 10
		before := 24
		var list []modelOp
		operands, pairs := uint64(0), uint64(0)
		for range rapid.IntRange(1, 40).Draw(rt, "instructions") {
			at += wire.Cycle(rapid.SampledFrom([]int{1, 1, 1, 2, 5}).Draw(rt, "gap"))
			o := modelOp{at: at, warp: uint16(rapid.IntRange(0, 2).Draw(rt, "warp")),
				flags: uint8(rapid.IntRange(0, 7).Draw(rt, "flags"))}
			registers := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) ir.RegID {
				return ir.RegID(rapid.IntRange(0, 7).Draw(rt, "register"))
			}), 0, 4)
			o.src = registers.Draw(rt, "sources")
			r.send(at, o.warp, 0, fma(-1, o.flags, o.src...))
			if rapid.Bool().Draw(rt, "pair") {
				o.second = &modelOp{src: registers.Draw(rt, "sources of the second")}
				r.send(at, o.warp, 1, special(o.second.src...))
				operands += uint64(len(o.second.src))
				pairs++
			}
			list = append(list, o)
			operands += uint64(len(o.src))
		}
		n := len(list)
		r.Domain.RunUntil(at + 400)
		want := m.run(list)
		got := r.arrived(0)
		if len(got) != before+n {
			rt.Fatalf("%d instructions arrived, want %d", len(got), before+n)
		}
		for i := range want {
			want[i]++ // the link to the unit
		}
		if d := cmp.Diff(want, got[before:]); d != "" {
			rt.Fatalf("arrivals (-model +file):\n%s", d)
		}
		if n := r.Stat("maxwell.pairs"); n != pairs || len(r.arrived(1)) != int(pairs) {
			rt.Fatalf("%d pairs, of which %d arrived, want %d", n, len(r.arrived(1)), pairs)
		}
		if got := r.Stat("maxwell.reuse_hits"); got != uint64(m.hits) {
			rt.Fatalf("%d hits, the model has %d", got, m.hits)
		}
		r.Checked(operands)
	})
}
