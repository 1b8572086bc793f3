package streams

import (
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
)

// regionLimits are the most registers named by a region.
var regionLimits = [...]int{8, 16, 32}

// strandLimit is the most registers named by a strand.
const strandLimit = 16

// Intervals has register-intervals by the most registers named by one. An entry is nil
// if some executed kernel cannot be cut into such intervals, because an instruction names more
// registers.
type Intervals struct {
	Of8  *Regions `json:"8,omitempty"`
	Of16 *Regions `json:"16,omitempty"`
	Of32 *Regions `json:"32,omitempty"`
}

// Strands has strands by the most registers named by one.
type Strands struct {
	Of16 *Regions `json:"16,omitempty"`
}

// Regions has how kernels are cut into regions of few registers, and how warps
// pass through them.
type Regions struct {
	// Instructions and Regions count the code of the executed kernels.
	Instructions uint64 `json:"instructions"`
	Regions      uint64 `json:"regions"`
	// Entered counts the entries of warps into regions. Named is the registers of these regions, summed.
	// Fetched leaves out registers already named by the region before.
	Entered uint64 `json:"entered"`
	Named   uint64 `json:"named"`
	Fetched uint64 `json:"fetched"`
	// Optimal is the least number of runs in a partition of the streams.
	Optimal uint64 `json:"optimal"`
	// Real and Best are dynamic instructions per region entered, and per run.
	Real float64 `json:"real"`
	Best float64 `json:"best"`
}

// regions follows one warp after the other through the regions of their kernels.
type regions struct {
	limit   int
	strands bool
	kernels map[*ir.Kernel]*regionsOf
	now     *regionsOf // of the warp's kernel
	set     intervals.Set
	sum     Regions
	missing bool // some kernel cannot be cut
}

// regionsOf are the regions of a kernel.
type regionsOf struct {
	*tables.Regions
	*intervals.Counter
}

func newRegions(limit int, strands bool) *regions {
	return &regions{limit: limit, strands: strands, kernels: map[*ir.Kernel]*regionsOf{}}
}

// begin starts with a warp of the kernel.
func (r *regions) begin(k *ir.Kernel, t *tables.Tables) {
	if r.missing {
		return
	}
	at, ok := r.kernels[k]
	if !ok {
		cut, err := r.cut(t)
		if err != nil {
			r.missing = true
			return
		}
		byPC := make([]int, len(cut.ByPC))
		for pc, v := range cut.ByPC {
			byPC[pc] = int(v)
		}
		at = &regionsOf{cut, intervals.NewCounter(byPC, r.limit)}
		r.kernels[k] = at
		r.sum.Instructions += uint64(len(byPC))
		r.sum.Regions += uint64(len(cut.Sets))
	}
	at.Begin()
	r.now, r.set = at, intervals.Set{}
}

func (r *regions) cut(t *tables.Tables) (*tables.Regions, error) {
	if !r.strands {
		return t.Intervals(r.limit)
	}
	s, err := t.Strands(r.limit)
	if err != nil {
		return nil, err
	}
	return &s.Regions, nil
}

// step follows the warp's next instruction.
func (r *regions) step(pc int, t *ir.Timing) {
	if r.missing || !r.now.Step(pc, t) {
		return
	}
	next := r.now.Sets[r.now.Regions.ByPC[pc]]
	r.sum.Named += uint64(next.Len())
	for i := range next {
		r.set[i] = next[i] &^ r.set[i]
	}
	r.sum.Fetched += uint64(r.set.Len())
	r.set = next
}

// summary returns the counts, or nil.
func (r *regions) summary() *Regions {
	if r.missing {
		return nil
	}
	var l intervals.Lengths
	for _, k := range r.kernels {
		l.Plus(k.Lengths)
	}
	out := r.sum
	out.Entered, out.Optimal, out.Real, out.Best = l.Entered, l.Optimal, l.Real(), l.Best()
	return &out
}
