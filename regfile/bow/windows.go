package bow

import (
	"cmp"
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Windows has the windows of a sub-core's warps.
type Windows struct {
	wire.Comp
	conventional.Level

	spec    Spec
	twice   bool // a register named twice by an instruction is read twice
	own     int  // warps of the sub-core with windows at once
	index   *bank.Index
	plan    *Plan   `soft:"in instructions"`
	warps   []warp  `part:"Warp"`              // by context
	entries []entry `row:"Windows: registers"` // by context, then by entry
	fills   fills

	reads, writeBacks int   // accesses left in this cycle
	taken             uint8 // registers of the head request already looked up
	check             bool
	count             counters
}

// warp is the window of a warp context.
type warp struct {
	issued uint32   // instructions
	ops    []reader `bits:"type" room:"cap"` // operations with requests still to come
}

// reader is an operation taking operands from the window.
type reader struct {
	tag  uint32
	from uint16 // a bit per source with an entry for its register
}

// entry holds a register of a window.
type entry struct {
	content version.Content // with checking
	valid   uint32          // present lanes
	filling uint32          // lanes on their way from the banks, by the fill named by by
	by      fillID
	last    uint32 // the newest instruction reading or writing the register
	pinned  uint16 // operands to be taken from here, not yet requested
	reg     ir.RegID
	hint    Hint // of the result to come; Banks if no instruction in the window has one
	used    bool
	dirty   bool // the banks lack the present lanes
	dead    bool // no lane needs them
}

// readLast marks the last read of an operand: no lane needs it afterwards (ir.Timing.Dead).
const readLast bank.Hint = 1

var events = regfile.Events(regfile.WarpStarted, regfile.WarpIssued, regfile.WarpExited)

// switchedEvents are the events needed if warps lose their slots for a time.
var switchedEvents = events | regfile.Events(regfile.WarpSuspended)

// New builds the windows of a sub-core.
func New(p *conventional.Part, s Spec) (*Windows, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := p.Env.Warps
	slots := cmp.Or(p.Env.Slots, n)
	w := &Windows{spec: s, twice: s.base.ReadTwice, own: (slots + p.SubCores - 1) / p.SubCores, index: p.Index,
		warps: make([]warp, n), entries: make([]entry, n*s.Entries), check: p.Env.Checker != nil}
	for i := range w.warps {
		w.warps[i].ops = make([]reader, 0, p.Collectors+p.RequestRoom)
	}
	w.Init(p.Name+".Windows", p.Env.Domain, w)
	w.fills.init(p.Collectors * ir.NumSources)
	w.InitPorts(&w.Comp, p, w.fills.limit, !s.empty())
	w.count.register(w.Name(), p.Env.Stats)
	return w, nil
}

// extension returns the windows' ports for the conventional file.
func (w *Windows) extension() *conventional.Extension {
	if w.spec.empty() {
		return w.Before(0)
	}
	x := w.Before(w.spec.Reads + maxWaiters)
	x.Writes, x.Causes, x.Fill = w.spec.WriteBacks, 1<<bank.Eviction, &w.Fill
	if w.spec.Writes == Hints {
		x.Hints = bank.Hints{Last: readLast, AnyOrder: true,
			Source: func(t *ir.Timing, i int) bank.Hint { return bank.Hint(t.Dead >> i & 1) }}
	}
	return x
}

// Tick serves the oldest in program order first.
func (w *Windows) Tick(wire.Cycle) bool {
	w.reads, w.writeBacks = w.spec.Reads, w.spec.WriteBacks
	held := !w.takeFills()
	return !w.takeNotices() || !w.takeResults() || !w.takeRequests() || held
}

// entriesOf returns the entries of a warp.
func (w *Windows) entriesOf(context uint16) []entry {
	return w.entries[int(context)*w.spec.Entries:][:w.spec.Entries]
}

// find returns the entry of a register, or nil.
func (w *Windows) find(context uint16, r ir.RegID) *entry {
	list := w.entriesOf(context)
	for i := range list {
		if list[i].used && list[i].reg == r {
			return &list[i]
		}
	}
	return nil
}

// release empties an entry. A value missing in the banks and possibly needed by a lane is written to them first.
// release returns false, without any effect, if the write must wait.
func (w *Windows) release(e *entry, context uint16) bool {
	switch {
	case e.dirty && !e.dead:
		if !w.writeBack(e, context) {
			return false
		}
		w.count.writeBacks++
	case e.dirty:
		w.count.dead++
	}
	*e = entry{}
	return true
}

// writeBack writes the lanes of an entry to the banks. It returns false if the write must wait.
func (w *Windows) writeBack(e *entry, context uint16) bool {
	if w.writeBacks == 0 || !w.Write.CanPut() {
		return false
	}
	w.writeBacks--
	a := w.Write.Slot()
	*a = bank.Access{Content: version.Content{Lanes: e.valid}, Kind: bank.Write, Cause: bank.Eviction, Warp: context,
		Reg: e.reg}
	if w.check {
		a.Content = e.content
	}
	a.Bank, a.Entry = w.index.Find(context, e.reg)
	w.Write.PutSlot()
	e.dirty = false
	w.count.groupReads += bank.LaneGroups(e.valid)
	return true
}

// Waiting reports the messages held up by the windows.
func (w *Windows) Waiting() string {
	n, r := w.Request.Len(), w.Result.Len()
	if n+r+len(w.fills.waiters) == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests and %d results wait, %d operands wait for registers on their way from the banks",
		n, r, len(w.fills.waiters))
}

// sources returns the sources of an instruction requested by its collector, a bit for each.
func (w *Windows) sources(t *ir.Timing) (set uint16) {
	for i := range t.NSrc {
		set |= 1 << i
	}
	if w.twice {
		return set
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros16(rest)
		for k := range i {
			if t.Src[k] == t.Src[i] {
				set &^= 1 << i
			}
		}
	}
	return set
}
