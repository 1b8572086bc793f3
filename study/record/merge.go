package record

import "kumiko/gpus/result"

// Merge adds up the launches of each kernel with one shape of CTA. The list has one
// entry for them, with the grid of the first.
func Merge(launches []result.Kernel) []result.Kernel {
	out := []result.Kernel{}
	for _, l := range result.Groups(launches, func(a, b *result.Kernel) bool {
		return a.Name == b.Name && a.Block == b.Block && a.RegistersPerThread == b.RegistersPerThread &&
			a.SharedBytes == b.SharedBytes
	}) {
		k := l[0]
		k.Counts, k.SMs, k.Launches = result.Sum(l).Counts, nil, 0
		k.Sampled, k.Sample = sampledOf(l)
		if len(l) > 1 {
			k.IPCSteady, k.Beside = nil, nil // of one launch, or of those of one row
		}
		out = append(out, k)
	}
	return out
}

// sampledOf returns the sampling of the launches of a kernel, added up. Wholly simulated launches have nothing
// skipped.
func sampledOf(launches []result.Kernel) (bool, *result.Sample) {
	all := (&result.Result{Kernels: launches}).Sampling()
	if all == nil {
		return false, nil
	}
	out := &result.Sample{Units: all.Units, WarpInstructions: all.WarpInstructions, CyclesHalf: all.CyclesHalf,
		CyclesSystematic: all.CyclesSystematic,
		Intervals:        map[string]float64{}}
	for i := range launches {
		if s := launches[i].Sample; s != nil {
			out.CTAs += s.CTAs
			out.CTAsSkipped += s.CTAsSkipped
			out.WarpInstructionsSkipped += s.WarpInstructionsSkipped
		}
	}
	return true, out
}

// MostKernels is the most launches listed in a record. For a program with more launches the record has one entry
// for each kernel.
const MostKernels = 32
