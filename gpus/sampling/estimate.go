package sampling

import (
	"fmt"
	"math"

	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/kernel/stream"
)

// launchEstimate counts the units of a sampled launch, and estimates the launch from them. Waves and windows share it.
type launchEstimate struct {
	gpu          *GPU
	given        int    // CTAs simulated completely or in part
	skipped      int    // CTAs
	insts, lanes uint64 // of all CTAs
	skippedInsts uint64
	executions   int  // CTAs
	at           unit // the GPU's counts when last sampled
	est          estimator
	gap          float64   // instructions since the last unit without counts
	costs        []float64 // cycles per instruction of the units
}

func newEstimate(g *GPU) launchEstimate { return launchEstimate{gpu: g, at: g.counted()} }

// executed adds the instructions of a CTA.
func (t *launchEstimate) executed(c *stream.CTA) {
	insts, lanes := c.Instructions()
	t.count(insts, lanes)
}

// count adds a CTA's instructions.
func (t *launchEstimate) count(insts, lanes uint64) {
	t.insts += insts
	t.lanes += lanes
	t.executions++
}

// sinceSample returns the counts since the last sample of the GPU's counts, and samples them again.
func (t *launchEstimate) sinceSample() unit {
	now := t.gpu.counted()
	d := since(&t.at, &now)
	t.at = now
	return d
}

// missed adds the instructions simulated since the last sample, and more instructions, to the gap.
func (t *launchEstimate) missed(more float64) {
	d := t.sinceSample()
	t.gap += d.Instructions + more
}

// known adds the counts since the last sample to the counts known without estimation.
func (t *launchEstimate) known() {
	d := t.sinceSample()
	add(&t.est.Known, &d)
}

// unit ends a unit, begun at the last sample.
func (t *launchEstimate) unit() {
	d := t.sinceSample()
	if d.Instructions == 0 || d.Counts[0] == 0 {
		t.gap += d.Instructions
		return
	}
	add(&t.est.Known, &d)
	t.est.Units = append(t.est.Units, d)
	t.est.Gaps = append(t.est.Gaps, t.gap)
	t.gap = 0
	t.costs = append(t.costs, d.Counts[0]/d.Instructions)
}

// End implements Sampler. An interval needs at least two units.
func (t *launchEstimate) End(at wire.Cycle, r *result.Kernel) error {
	if len(t.est.Units) < 2 {
		return fmt.Errorf("kernel %s: found %d units that could be measured, expected at least 2: the launch is too "+
			"short to be sampled", r.Name, len(t.est.Units))
	}
	now := t.gpu.counted()
	now.Counts[0] = float64(at)
	tail := since(&t.at, &now)
	add(&t.est.Known, &tail)
	t.est.Gaps = append(t.est.Gaps, t.gap)
	t.est.Skipped = float64(t.skippedInsts)
	out := result.Sample{Units: len(t.est.Units), CTAs: t.given, CTAsSkipped: t.skipped,
		WarpInstructions: t.insts - t.skippedInsts, WarpInstructionsSkipped: t.skippedInsts,
		Intervals: map[string]float64{}}
	i := 0
	cycles := t.est.Count(i)
	out.CyclesHalf, out.CyclesSystematic = cycles.Half, cycles.Systematic
	r.Cycles = rounded(cycles.Value)
	t.gpu.eachCount(func(k kind, name string, _ float64) {
		i++
		e := t.est.Count(i)
		countsOf(r, k)[name] = rounded(e.Value)
		if k == statistics && e.Half > 0 {
			out.Intervals[name] = e.Half
		}
	})
	factor := float64(t.insts) / float64(r.WarpInstructions)
	for name, list := range r.Distributions {
		for i := range list {
			list[i].Count = rounded(float64(list[i].Count) * factor)
		}
		r.Distributions[name] = list
	}
	r.WarpInstructions, r.ThreadInstructions = t.insts, t.lanes
	r.Stats["sm.warp_instructions"], r.Stats["sm.thread_instructions"] = t.insts, t.lanes
	delete(out.Intervals, "sm.warp_instructions")
	delete(out.Intervals, "sm.thread_instructions")
	r.SMs = []result.SM{}
	r.Sampled, r.Sample = true, &out
	r.SetIPC()
	return nil
}

// rounded returns a count as a whole number.
func rounded(x float64) uint64 { return uint64(math.Round(max(x, 0))) }
