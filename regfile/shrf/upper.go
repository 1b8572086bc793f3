package shrf

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Upper is the upper level of a sub-core.
type Upper struct {
	wire.Comp
	conventional.Level

	spec    Spec
	index   *bank.Index
	plan    *Plan      `soft:"in instructions"`
	warps   []warp     `bits:"type"`                    // by context
	entries []entry    `row:"Upper: registers"`         // by place, then by entry
	unused  []uint16   `bits:"log(warps)" room:"cap"`   // places without a warp
	line    []uint16   `bits:"log(warps)" room:"warps"` // active warps without a place, in order
	fills   []expected `bits:"type" room:"cap"`
	flushed []int      `bits:"8"` // by notice port: entries already processed of the warp of the head notice

	at            wire.Cycle
	reads, writes int   // accesses left in cycle at
	taken         uint8 // registers of the head request already looked up
	check         bool
	count         counters
}

// warp is the state of a warp context.
type warp struct {
	strand *Strand // the warp's present strand; nil: none
	place  int32   // -1: none
}

// entry holds a register of a strand.
type entry struct {
	content version.Content // with checking
	valid   uint32          // present lanes
	filling uint32          // lanes on their way from the main file
	dirty   bool            // the main file lacks them
	reg     ir.RegID
}

// expected is a read bringing lanes into an entry.
type expected struct {
	tag   uint32
	lanes uint32
	entry int32
	slot  uint8
}

var events = regfile.Events(regfile.WarpStarted, regfile.WarpActivated, regfile.WarpInserted, regfile.WarpSuspended,
	regfile.WarpExited)

// New builds the upper level of a sub-core.
func New(p *conventional.Part, s Spec) (*Upper, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	places := max(1, p.Env.Active/p.SubCores)
	x := &Upper{spec: s, index: p.Index, warps: make([]warp, p.Env.Warps), entries: make([]entry, places*s.Entries),
		check: p.Env.Checker != nil}
	for i := range x.warps {
		x.warps[i].place = -1
	}
	for i := places; i > 0; i-- {
		x.unused = append(x.unused, uint16(i-1))
	}
	x.fills = make([]expected, 0, p.Collectors*ir.NumSources)
	x.Init(p.Name+".Upper", p.Env.Domain, x)
	x.InitPorts(&x.Comp, p, p.Collectors*ir.NumSources, true)
	x.flushed = make([]int, p.Schedulers)
	x.count.register(x.Name(), p.Env.Stats)
	return x, nil
}

// extension returns the upper level's ports for the conventional file.
func (x *Upper) extension() *conventional.Extension {
	e := x.Before(x.spec.Reads)
	e.Writes, e.Causes, e.Fill = x.spec.Reads+x.spec.FlushWidth, 1<<bank.Eviction|1<<bank.Flush, &x.Fill
	return e
}

// Tick serves the oldest in program order first.
func (x *Upper) Tick(now wire.Cycle) bool {
	x.at, x.reads, x.writes = now, x.spec.Reads, x.spec.Writes
	x.takeFills()
	return !x.takeNotices() || !x.takeResults() || !x.takeRequests()
}

// find returns the entry of a register in the strand of its warp, and its number, or nil.
func (x *Upper) find(context uint16, r ir.RegID) (*entry, int32) {
	w := &x.warps[context]
	if w.strand == nil || w.place < 0 || w.strand.Entry[r] == 0 {
		return nil, 0
	}
	i := w.place*int32(x.spec.Entries) + int32(w.strand.Entry[r]) - 1
	return &x.entries[i], i
}

// takeResults processes the arrived results. It returns false when one must wait.
func (x *Upper) takeResults() bool {
	for a := x.Result.Head(); a != nil; a = x.Result.Head() {
		e, _ := x.find(a.Warp, a.Reg)
		through := e == nil || x.warps[a.Warp].strand.Through.Has(int(a.Reg))
		if through && !x.Write.CanPut() || e != nil && x.writes == 0 {
			x.count.resultWaits++
			return false
		}
		if through {
			*x.Write.Slot() = *a
			x.Write.PutSlot()
		}
		if e != nil {
			x.writes--
			e.put(a, through, x.check)
			x.count.results++
			x.count.groupWrites += bank.LaneGroups(a.Content.Lanes)
			if through {
				x.count.through++
			}
		} else {
			x.count.past++
		}
		x.Result.Pop()
	}
	return true
}

// put writes a result.
func (e *entry) put(a *bank.Access, through, check bool) {
	lanes := a.Content.Lanes
	e.reg = a.Reg
	e.valid |= lanes
	e.filling &^= lanes
	e.dirty = !through // as every result for the entry's register in the strand
	if check {
		e.content = e.content.Overlay(a.Content)
	}
}

// takeFills stores copies of the values sent by the main file to collectors.
func (x *Upper) takeFills() {
	for v := x.Fill.Head(); v != nil; v = x.Fill.Head() {
		for i := range x.fills {
			f := &x.fills[i]
			if f.tag != v.Tag || f.slot != v.Slot {
				continue
			}
			e := &x.entries[f.entry]
			lanes := f.lanes & e.filling
			e.valid |= lanes
			e.filling &^= lanes
			if x.check {
				e.content = e.content.Overlay(v.Content.Only(lanes))
			}
			x.count.filled++
			x.count.groupWrites += bank.LaneGroups(lanes)
			last := len(x.fills) - 1
			x.fills[i] = x.fills[last]
			x.fills = x.fills[:last]
			break
		}
		x.Fill.Pop()
	}
}

func (x *Upper) ports() string { return fmt.Sprintf("%dr%dw", x.spec.Reads, x.spec.Writes) }

// Waiting reports the messages held up by the upper level.
func (x *Upper) Waiting() string {
	n, w := x.Request.Len(), x.Result.Len()
	if n+w == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests and %d results wait", n, w)
}
