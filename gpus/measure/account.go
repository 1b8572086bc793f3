// Package measure makes the results of launches (package result) from the counts of a chip's blocks.
package measure

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/gpus/chip"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/sm"
	"kumiko/sm/reason"
)

// Meter makes the results of a machine's launches from the counts of its blocks.
type Meter struct {
	chip  *chip.Chip
	spec  *sm.Spec
	busy  uint64 // cycles of simulated launches
	fills fills  // of the launches
}

// NewMeter returns the meter of a chip.
func NewMeter(g *chip.Chip, s *sm.Spec) *Meter { return &Meter{chip: g, spec: s} }

// Launched adds the cycles of a finished launch.
func (m *Meter) Launched(cycles uint64) { m.busy += cycles }

// tally holds the counts of one SM, accumulated since the machine was built.
type tally struct {
	slots, states [reason.Num]uint64
	warp, thread  uint64
}

// Account is a snapshot of the machine's counts, taken between launches.
type Account struct {
	sms           []tally
	stats         map[string]uint64
	distributions [][stats.NumBuckets]uint64
}

func (m *Meter) Account() Account {
	a := Account{stats: m.chip.Stats.Snapshot()}
	for _, s := range m.chip.SMs {
		var t tally
		s.Slots(&t.slots)
		s.WarpStates(&t.states)
		t.warp, t.thread = s.Instructions()
		a.sms = append(a.sms, t)
	}
	for _, d := range m.chip.Stats.Distributions() {
		a.distributions = append(a.distributions, d.Counts())
	}
	return a
}

// Since fills a launch's result with the differences between two snapshots. An error is a fault of the
// simulator: issue slots that do not add up.
func (m *Meter) Since(before, after *Account, r *result.Kernel) error {
	r.IssueSlots, r.WarpStates = map[string]uint64{}, map[string]uint64{}
	var fault error
	for i := range m.chip.SMs {
		a, b := &before.sms[i], &after.sms[i]
		s := result.SM{SM: i, WarpInstructions: b.warp - a.warp, ThreadInstructions: b.thread - a.thread,
			IssueSlots: map[string]uint64{}}
		for _, x := range m.chip.SMs[0].Reasons() {
			k := x.Reason
			s.IssueSlots[x.Name] = b.slots[k] - a.slots[k]
			r.IssueSlots[x.Name] += b.slots[k] - a.slots[k]
			if name := x.State(); name != "" {
				r.WarpStates[name] += b.states[k] - a.states[k]
			}
		}
		s.SetCPI()
		if err := m.checkSlots(r, &s); err != nil && fault == nil {
			fault = err
		}
		r.WarpInstructions += s.WarpInstructions
		r.ThreadInstructions += s.ThreadInstructions
		r.SMs = append(r.SMs, s)
	}
	r.Stats = after.stats
	for name, n := range before.stats {
		r.Stats[name] -= n
	}
	r.Distributions = map[string][]stats.Bucket{}
	for i, d := range m.chip.Stats.Distributions() {
		n := after.distributions[i]
		for k := range n {
			n[k] -= before.distributions[i][k]
		}
		r.Distributions[d.Name] = stats.Buckets(&n)
	}
	return fault
}

// checkSlots returns an error unless the issue slots of an SM, summed over all reasons, equal its cycles times its
// slots per cycle, and the issued slots equal its warp instructions.
func (m *Meter) checkSlots(r *result.Kernel, s *result.SM) error {
	var sum uint64
	for _, n := range s.IssueSlots {
		sum += n
	}
	want := r.Cycles * uint64(m.spec.Schedulers*m.spec.Width())
	if sum == want && s.IssueSlots[result.Issued] == s.WarpInstructions {
		return nil
	}
	return &stop.Error{Check: true,
		Reason: fmt.Sprintf("internal error: kernel %s, SM %d: the reasons of issue slots add up to %d, want %d (%d "+
			"cycles of %d schedulers of width %d); %d issued, %d warp instructions",
			r.Name, s.SM, sum, want, r.Cycles, m.spec.Schedulers, m.spec.Width(), s.IssueSlots[result.Issued],
			s.WarpInstructions)}
}

// SteadyIPC returns the sum over the SMs of thread instructions per cycle, each SM measured over its
// steady-state cycles. It returns nil if no SM reached a steady state.
func (m *Meter) SteadyIPC(end uint64) *float64 {
	sum, any := 0.0, false
	for _, s := range m.chip.SMs {
		if cycles, thread := s.Steady(end); cycles > 0 {
			sum += float64(thread) / float64(cycles)
			any = true
		}
	}
	if !any {
		return nil
	}
	return &sum
}
