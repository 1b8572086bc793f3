// Package fetch supplies instructions: the fetch block, the instruction caches of an SM and its
// sub-cores, and the rewinding of warps without slots.
package fetch

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/stream"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/switching"
)

// Fetch sends the instructions of the resident warps, in program order, to the
// instruction buffers. In a cycle it serves Spec.Width warps, by Spec.Policy,
// among the warps with room in their buffer. It assumes that the next
// instruction follows in memory. After a redirect the warp waits until the
// redirecting instruction is resolved.
type Fetch struct {
	wire.Comp
	spec Spec

	Start wire.InPort[*message.Residence]  // from residency
	Out   []wire.OutPort[message.Fetched]  // to each scheduler
	Notes []wire.InPort[message.FetchNote] // from each scheduler
	// Resolved brings branches from their execution units, if branches
	// are resolved there.
	Resolved []wire.InPort[message.FetchNote]
	// ToMem and FromMem connect an imperfect instruction cache to the L2, for lines of the program.
	ToMem   wire.OutPort[req.Packet]
	FromMem wire.InPort[req.Packet]
	Rewind  wire.InPort[switching.Rewind] // from the switcher, where CTAs are switched

	prog  *program.Program // the running program
	warps []fetchState     `bits:"48+16"`
	want  message.WarpSet  `bits:"warps" room:"1"` // room in the buffer, not waiting, not at the end
	words int
	last  int     // context served last
	least uint8   // free entries needed before a buffer is refilled
	cache *icache // nil: perfect, or in another block behind the sub-cores' own
	// sched has, by context, the number of its scheduler, because a division would take longer than the rest of the
	// choice.
	sched  []uint8 `soft:"constants"`
	atUnit uint64  // see AtUnit
	supply
	// Standing reports the warps' next instructions to the switcher, if registers are moved. answer
	// is the last report; nil: registers are not moved.
	Standing wire.OutPort[switching.Standing]
	answer   *switching.Standing
	// behind has, by context, a cursor before the first unissued instruction;
	// nil if no warp ever loses its slot.
	behind []behind `bits:"48+8+32"`

	follow *follower // nil: warps take turns

	fetches uint64
	insts   uint64
}

type fetchState struct {
	cursor stream.Cursor
	room   uint8
	waits  waits
	// atUnit: the redirecting instruction is resolved by its execution unit, after the warp's earlier
	// branches (issuedBranches) have reached the unit.
	atUnit         bool
	issuedBranches uint8
	life           uint8
	cta            uint16
	group          int32 // of the last fetched instruction
}

// waits is a set of reasons not to fetch for a warp.
type waits uint8

const (
	forBranch waits = 1 << iota // the last fetched instruction redirects
	forLine                     // a line of the program is missing
	forSlot                     // the warp has lost its slot
	forEver                     // the last instruction is fetched
)

// set puts reasons into the set, or removes them.
func (s *waits) set(w waits, on bool) {
	*s &^= w
	if on {
		*s |= w
	}
}

// Clients are the numbers of an SM's warp contexts, schedulers and branch units, all served by one fetch block.
type Clients struct{ Contexts, Schedulers, BranchUnits int }

// New builds the fetch block of an SM.
func New(name string, d *wire.Domain, spec Spec, n Clients, reg *stats.Registry) *Fetch {
	f := &Fetch{spec: spec, prog: &program.Program{}, warps: make([]fetchState, n.Contexts),
		words: (n.Contexts + 63) / 64, least: 1, sched: make([]uint8, n.Contexts),
		atUnit: AtUnit(&spec)}
	for c := range f.sched {
		f.sched[c] = uint8(c % n.Schedulers)
	}
	if spec.Refill == "empty" {
		f.least = uint8(spec.Buffer)
	}
	if spec.Policy == Follow {
		f.follow = newFollower(spec.Width/n.Schedulers, n)
	}
	f.Init(name, d, f)
	f.Start.Init(&f.Comp, "Start", 4)
	// Every message holds a buffer entry of its warp, so the links never fill.
	f.Out = make([]wire.OutPort[message.Fetched], n.Schedulers)
	f.Notes = make([]wire.InPort[message.FetchNote], n.Schedulers)
	for i := range f.Out {
		f.Out[i].Init(&f.Comp, fmt.Sprintf("Out[%d]", i))
		f.Notes[i].Init(&f.Comp, fmt.Sprintf("Notes[%d]", i), 8)
	}
	f.ToMem.Init(&f.Comp, "ToMem").SetOptional() // without an L1 instruction cache
	f.FromMem.Init(&f.Comp, "FromMem", 4)
	f.supply.init(f, n.Schedulers, name, reg)
	f.Resolved = make([]wire.InPort[message.FetchNote], n.BranchUnits)
	for i := range f.Resolved {
		f.Resolved[i].Init(&f.Comp, fmt.Sprintf("Resolved[%d]", i), 4)
	}
	reg.Count("sm.fetch.fetches", stats.Accesses, "instruction fetches", name, &f.fetches)
	reg.Count("sm.fetch.instructions", stats.Instructions, "warp instructions brought to the instruction buffers", name,
		&f.insts)
	return f
}

// Load prepares the idle block for the launch of a program.
func (f *Fetch) Load(p *program.Program) {
	f.prog = p
	f.begin(p.End())
	if f.cache != nil {
		f.cache.begin(p.Code, p.End())
	}
}

// Flush drops the lines of the instruction cache, if the block has one. Nothing may be in flight.
func (f *Fetch) Flush() {
	if f.cache != nil {
		f.cache.tags.Reset()
	}
}

// Asks reports whether the block itself requests lines from the L2.
func (f *Fetch) Asks() bool { return f.cache != nil }

// Streams calls g for each warp with something left to fetch. next is the number of the first run of its
// stream not begun yet.
func (f *Fetch) Streams(g func(w *stream.Warp, next int)) {
	for i := range f.warps {
		if c := &f.warps[i].cursor; !c.Done() {
			g(c.Warp(), c.Run()+1)
		}
	}
}

// Tick receives notes and new warps, and then fetches.
func (f *Fetch) Tick(wire.Cycle) bool {
	for i := range f.Notes {
		for n := f.Notes[i].Take(); n != nil; n = f.Notes[i].Take() {
			f.note(n)
		}
	}
	for i := range f.Resolved {
		for n := f.Resolved[i].Take(); n != nil; n = f.Resolved[i].Take() {
			f.executed(int(n.Warp))
		}
	}
	if f.cache != nil {
		for p := f.FromMem.Take(); p != nil; p = f.FromMem.Take() {
			f.arrived(f.cache.fill(p.Addr, p.Sectors))
		}
	}
	if f.l0 != nil {
		f.takeLines()
	}
	if f.behind != nil {
		for m := f.Rewind.Take(); m != nil; m = f.Rewind.Take() {
			f.rewind(m)
		}
	}
	for r := f.Start.Head(); r != nil; r = f.Start.Head() {
		if (*r).Returned {
			f.goOn(*r)
		} else {
			f.start(*r)
		}
		f.Start.Pop()
	}
	again := f.fetch()
	if f.l0 != nil {
		again = f.askLines() || again
	}
	return again
}

func (f *Fetch) note(n *message.FetchNote) {
	w := &f.warps[n.Warp]
	w.room += n.Freed
	if f.follow != nil && n.Freed > 0 {
		f.follow.issued(int(n.Warp))
	}
	if f.behind != nil && n.Freed > 0 {
		f.step(n.Warp, n.Inserted)
	}
	if n.Resolved {
		w.waits &^= forBranch
	}
	f.update(int(n.Warp))
}

// executed records a branch's arrival at its unit. Units receive
// all branches of a warp, in order, with or without a redirect.
func (f *Fetch) executed(c int) {
	w := &f.warps[c]
	w.issuedBranches--
	if f.behind != nil {
		f.behind[c].issuedBranches--
	}
	if w.atUnit && w.issuedBranches == 0 {
		w.waits &^= forBranch
	}
	f.update(c)
}

func (f *Fetch) start(r *message.Residence) {
	for i, c := range r.Contexts {
		w := &f.warps[c]
		*w = fetchState{room: uint8(f.spec.Buffer), group: regfile.NoGroup, cta: r.Slot}
		w.cursor.Start(r.CTA.Kernel, &r.CTA.Warps[i])
		w.waits.set(forEver, w.cursor.Done())
		if f.follow != nil {
			f.follow.started(int(c))
		}
		if f.behind != nil {
			f.behind[c] = behind{cursor: w.cursor, group: regfile.NoGroup}
		}
		f.update(int(c))
	}
}

// arrived unblocks the warps of an arrived line.
func (f *Fetch) arrived(warps message.WarpSet) {
	for w := message.NextWarp(&warps, 0, f.words); w >= 0; w = message.NextWarp(&warps, 0, f.words) {
		warps.Remove(w)
		f.warps[w].waits &^= forLine
		f.update(w)
	}
}

// update computes whether a warp wants instructions. Warps often change in turn, so the host would guess a branch
// wrong: the sign of a number takes its place.
func (f *Fetch) update(c int) {
	w := &f.warps[c]
	wants := ^uint64(int64(w.room)-int64(f.least)|-int64(w.waits)) >> 63
	set, at := &f.want[c>>6], c&63
	*set = *set&^(1<<at) | wants<<at
}

// fetch serves up to Width warps, each once. It returns whether there is more to
// do in the next cycle.
func (f *Fetch) fetch() bool {
	if f.follow != nil {
		f.fetchFollowing()
		return f.wanted()
	}
	unserved := f.want
	for range f.spec.Width {
		c := message.NextWarp(&unserved, f.last+1, f.words)
		if c < 0 {
			break
		}
		unserved.Remove(c)
		f.bring(c, &f.Out[f.sched[c]])
		f.last = c
	}
	return f.wanted()
}

// wanted reports whether any warp wants instructions.
func (f *Fetch) wanted() bool {
	any := uint64(0)
	for _, w := range f.want[:f.words] {
		any |= w
	}
	return any != 0
}

// bring fetches the next instructions of warp context c, together with the operations inserted before them by the
// register file's design.
func (f *Fetch) bring(c int, out *wire.OutPort[message.Fetched]) {
	w := &f.warps[c]
	f.fetches++
	if f.mask == 0 && f.prog.Insert == nil {
		for n := 0; n < f.spec.Instructions && w.room > 0 && w.waits == 0; n++ {
			f.putNext(c, w, out)
		}
		f.update(c)
		return
	}
	pc, _ := w.cursor.PeekPC()
	first := f.address(w, pc)
	if f.mask != 0 {
		if o := f.lookUp(first, c); o != fetchHit {
			w.waits.set(forLine, o == fetchWaits)
			f.update(c)
			return
		}
	}
	for n := 0; n < f.spec.Instructions && w.room > 0; n++ {
		if f.prog.Insert != nil && f.due(w, pc) {
			f.putInserted(c, w, pc, out)
		} else if pc = f.putNext(c, w, out); w.waits != 0 {
			break
		}
		if f.mask != 0 && (first^f.address(w, pc))&f.mask != 0 {
			break
		}
	}
	f.update(c)
}

// putNext sends the next instruction of a warp, and returns the PC of the one after it.
func (f *Fetch) putNext(c int, w *fetchState, out *wire.OutPort[message.Fetched]) uint32 {
	var d stream.Dyn
	w.cursor.Next(&d)
	pc, more := w.cursor.PeekPC()
	redirect := more && pc != d.PC+1
	// Field by field, because a copy of a struct just built, 16 bytes at a time, waits for its narrower stores.
	m := out.Slot()
	m.Inst, m.Access, m.PC, m.Exec, m.Warp = d.Inst, d.Access, d.PC, d.Exec, uint16(c)
	m.Redirect, m.Last, m.Life = redirect, !more, w.life
	out.PutSlot()
	f.insts++
	w.room--
	if redirect {
		w.waits |= forBranch
	}
	if !more {
		w.waits |= forEver
	}
	if w.atUnit = f.atUnit>>d.Inst.T.Class&1 != 0; w.atUnit {
		w.issuedBranches++
	}
	if x := f.prog.Insert; x != nil {
		w.group = x.Group[d.PC]
	}
	return pc
}

// due reports whether an inserted operation precedes a warp's next instruction, at pc.
func (f *Fetch) due(w *fetchState, pc uint32) bool {
	g := f.prog.Insert.Group[pc]
	return g != w.group && g >= 0
}

// address returns the address of the next instruction of a warp, at pc.
func (f *Fetch) address(w *fetchState, pc uint32) uint64 {
	p := f.prog
	if p.Insert != nil && f.due(w, pc) {
		return p.Code + p.Layout.Before(pc)
	}
	return p.Code + p.Layout.Offset(pc)
}

// putInserted sends the operation inserted before a warp's next instruction.
func (f *Fetch) putInserted(c int, w *fetchState, pc uint32, out *wire.OutPort[message.Fetched]) {
	x := f.prog.Insert
	w.group = x.Group[pc]
	*out.Slot() = message.Fetched{Inst: regfile.InsertedInst(), PC: x.PC(w.group), Warp: uint16(c),
		Life: w.life}
	out.PutSlot()
	w.room--
}

// Waiting names the first warp waiting for a branch or for a line.
func (f *Fetch) Waiting() string {
	for c := range f.warps {
		switch w := &f.warps[c]; {
		case w.waits&forBranch != 0:
			return fmt.Sprintf("warp %d: next instruction not known until its branch is resolved", c)
		case w.waits&forLine != 0:
			return fmt.Sprintf("warp %d: a line of the program has not come from the L2", c)
		}
	}
	return ""
}
