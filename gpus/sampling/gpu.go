package sampling

import (
	"maps"
	"slices"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/kernel/stream"
	"kumiko/memsys/l1"
	"kumiko/sm/reason"
)

// GPU is the part of a machine used by sampling. Sampling reads the state of blocks, and warms the caches with the
// accesses of skipped CTAs.
//
// The blocks are behind interfaces: a package that could see the type of a port would compile the methods of all
// ports anew.
type GPU struct {
	Core       *wire.Domain
	Dispatcher Dispatcher
	SMs        []SM
	Sides      []Side // of the SMs
	Memory     Memory
	Stats      *stats.Registry
	// GlobalInL1 is set if the L1s hold the lines of global loads.
	GlobalInL1 bool
	// Flushes is set if the caches are emptied before each launch.
	Flushes bool
	// Residency is why the machine's state outlasts waves: because the design keeps CTAs resident that have not all
	// registers or scheduler slots. Empty: it does not.
	Residency string
}

// Dispatcher is a residency.Dispatcher.
type Dispatcher interface {
	Granted() int
	Retired() int
}

// SM is an sm.SM.
type SM interface {
	Instructions() (warp, thread uint64)
	Reasons() []reason.Info
	Slots(sum *[reason.Num]uint64)
	Streams(f func(w *stream.Warp, next int))
	WarpStates(sum *[reason.Num]uint64)
}

// Side has the first-level caches of an SM; nil: there is none.
type Side struct{ L1, Texture Cache }

// Cache is an l1.Tags.
type Cache interface {
	Lines() l1.Lines
	Shadow() l1.Lines
}

// Memory is a memsys.System.
type Memory interface {
	Touch(addr uint64, sectors uint8, write bool)
}

// kind is a group of counts of a result.
type kind uint8

const (
	statistics kind = iota
	issueSlots
	warpStates
)

// countsOf returns the counts of one kind in a launch's result.
func countsOf(r *result.Kernel, k kind) map[string]uint64 {
	switch k {
	case issueSlots:
		return r.IssueSlots
	case warpStates:
		return r.WarpStates
	}
	return r.Stats
}

// counted returns the GPU's counts so far: the cycles, then the counts in the order of eachCount.
func (g *GPU) counted() unit {
	u := unit{Counts: []float64{float64(g.Core.Now())}}
	for _, s := range g.SMs {
		n, _ := s.Instructions()
		u.Instructions += float64(n)
	}
	g.eachCount(func(_ kind, _ string, n float64) { u.Counts = append(u.Counts, n) })
	return u
}

// eachCount calls f with every count of the GPU, always in the same order.
func (g *GPU) eachCount(f func(k kind, name string, n float64)) {
	now := g.Stats.Snapshot()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		f(statistics, name, float64(now[name]))
	}
	var slots, states [reason.Num]uint64
	for _, s := range g.SMs {
		var a, b [reason.Num]uint64
		s.Slots(&a)
		s.WarpStates(&b)
		for i := range a {
			slots[i] += a[i]
			states[i] += b[i]
		}
	}
	for _, x := range g.SMs[0].Reasons() {
		f(issueSlots, x.Name, float64(slots[x.Reason]))
		if name := x.State(); name != "" {
			f(warpStates, name, float64(states[x.Reason]))
		}
	}
}

// since returns the differences between two sets of counts.
func since(before, now *unit) unit {
	out := unit{Instructions: now.Instructions - before.Instructions, Counts: slices.Clone(now.Counts)}
	for i, n := range before.Counts {
		out.Counts[i] -= n
	}
	return out
}

func add(to, more *unit) {
	to.Instructions += more.Instructions
	for i, n := range more.Counts {
		to.Counts[i] += n
	}
}
