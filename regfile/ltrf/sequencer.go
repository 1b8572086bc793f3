package ltrf

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Sequencer turns vectors of registers into register numbers: for each warp with a job, leaving registers and
// entering registers, at most the rate of each per cycle.
//
// Ports:
//
//	In     Job: from the control blocks
//	Leave  Leave: leaving registers, to the control blocks
//	Want   Want: entering registers, to the allocation units
//
// The jobs of a warp are done in order. A register in both vectors leaves before any enters.
type Sequencer struct {
	wire.Comp
	In    wire.InPort[Job]
	Leave wire.OutPort[Leave]
	Want  wire.OutPort[Want]

	jobs []jobs          `bits:"type"`          // by warp context
	busy regfile.WarpSet `bits:"jobs" room:"1"` // warps with a job
	n    int
	rate int // registers of a warp per cycle
}

// mostJobs is the most jobs of a warp at once: one for its suspension or end, and one for the event after it,
// finished before the warp issues again.
const mostJobs = 2

// jobs are the jobs of a warp, the oldest first.
type jobs struct {
	list [mostJobs]Job
	n    int
}

func newSequencer(name string, d *wire.Domain, warps, rate int) *Sequencer {
	x := &Sequencer{jobs: make([]jobs, warps), rate: rate}
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", mostJobs*warps)
	x.Leave.Init(&x.Comp, "Leave")
	x.Want.Init(&x.Comp, "Want")
	return x
}

// Tick accepts jobs and does a step of each warp's.
func (x *Sequencer) Tick(wire.Cycle) bool {
	for j := x.In.Take(); j != nil; j = x.In.Take() {
		q := &x.jobs[j.Warp]
		q.list[q.n] = *j
		q.n++
		x.n++
		x.busy.Add(int(j.Warp))
	}
	each(x.busy, x.step)
	return x.n > 0
}

// step does one cycle's part of a warp's oldest job.
func (x *Sequencer) step(warp int) {
	q := &x.jobs[warp]
	j := &q.list[0]
	first := j.Leave.And(j.Enter) // empty where registers of both stay
	for n := 0; n < x.rate && !j.Leave.Empty() && x.Leave.CanPut(); n++ {
		r := j.Leave.First()
		j.Leave.Remove(r)
		x.Leave.Put(Leave{Warp: j.Warp, Reg: ir.RegID(r)})
	}
	for n := 0; n < x.rate && !j.Enter.Empty() && first.Empty() && x.Want.CanPut(); n++ {
		r := j.Enter.First()
		j.Enter.Remove(r)
		x.Want.Put(Want{Warp: j.Warp, Reg: ir.RegID(r)})
	}
	if !j.Leave.Empty() || !j.Enter.Empty() || x.Want.Room(2) < 2 {
		return
	}
	if j.Release {
		x.Want.Put(Want{Warp: j.Warp, Kind: Release})
	}
	if j.Answer {
		x.Want.Put(Want{Warp: j.Warp, Kind: End})
	}
	q.n--
	x.n--
	copy(q.list[:], q.list[1:])
	if q.n == 0 {
		x.busy.Remove(warp)
	}
}

// Waiting reports the number of jobs in progress.
func (x *Sequencer) Waiting() string {
	if x.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d vectors of registers are taken apart", x.n)
}
