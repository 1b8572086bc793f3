package compressed

import (
	"fmt"
	"slices"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Compressors has the compressors of a sub-core and the forms of its registers.
type Compressors struct {
	wire.Comp
	conventional.Level
	Moved wire.InPort[bank.Value] // registers read to be written in full, from the decompressors

	spec    Spec
	index   *bank.Index
	regs    int
	start   int            // results that begin to be compressed in a cycle
	forms   []form         `row:"Compressors: forms"` // by context and register
	held    []bool         `row:"Compressors: valid"` // likewise: a register is written
	ended   []bool         `bits:"1"`                 // by context: the warp has finished, and its last results may come
	queue   []write        `part:"Write"`             // results, the oldest first
	pending []bank.Request `bits:"type" room:"cap"`   // requests not yet served, the oldest first
	moves   uint32         // the number of the last move
	values  *version.Values
	check   *version.Checker
	use     usage
	count   counters
}

// write is a result on its way to the banks.
type write struct {
	bank.Access
	form  form       // of a result of all lanes
	begun bool       // compression has begun, or the register is being read
	moved bool       // the register has been read, and old is its content
	ready wire.Cycle // the end of the compression
	move  uint32     // the number of the move
	old   version.Content
}

// newCompressors builds the compressors of a sub-core.
func newCompressors(p *conventional.Part, s Spec) *Compressors {
	n := p.Env.Warps * p.Env.Registers
	x := &Compressors{spec: s, index: p.Index, regs: p.Env.Registers, start: s.Compressors * p.Schedulers,
		forms: make([]form, n), held: make([]bool, n), ended: make([]bool, p.Env.Warps),
		queue: make([]write, 0, p.WriteRoom+s.Compressors*p.Schedulers*s.Compression),

		pending: make([]bank.Request, 0, p.RequestRoom), values: p.Env.Values, check: p.Env.Checker,
		use: newUsage(p.Banks)}
	x.Init(p.Name+".Compressors", p.Env.Domain, x)
	x.InitPorts(&x.Comp, p, 1, true)
	x.Moved.Init(&x.Comp, "Moved", p.WriteRoom)
	x.count.register(x.Name(), p.Env.Stats)
	x.use.register(x.Name(), p.Env.Stats)
	return x
}

// entryIndex returns the place of a register in the table of forms.
func (x *Compressors) entryIndex(warp uint16, r ir.RegID) int { return int(warp)*x.regs + int(r) }

// Tick receives notices, moved registers and results, sends writes, and then serves requests. It returns true if
// something waits.
func (x *Compressors) Tick(now wire.Cycle) bool {
	for i := range x.Notices {
		for m := x.Notices[i].Take(); m != nil; m = x.Notices[i].Take() {
			x.release(m.Warp, now)
			x.ended[m.Warp] = m.Event == regfile.WarpFinished
		}
	}
	x.takeMoved()
	x.takeResults()
	x.sendWrites(now)
	waits := x.Result.Head() != nil // a read must not overtake a result
	if !waits {
		waits = x.takeRequests(now)
	}
	return waits || len(x.queue) > 0
}

// release gives up the registers of a warp that begins or has finished.
func (x *Compressors) release(warp uint16, now wire.Cycle) {
	for r := range x.regs {
		i := x.entryIndex(warp, ir.RegID(r))
		if x.held[i] {
			b, _ := x.index.Find(warp, ir.RegID(r))
			x.use.change(int(b), x.forms[i].banks(), 0, now)
		}
		x.held[i], x.forms[i] = false, full
	}
}

// store sets the form of a register with a write.
func (x *Compressors) store(a *bank.Access, f form, now wire.Cycle) {
	i, before := x.entryIndex(a.Warp, a.Reg), 0
	if x.ended[a.Warp] {
		return // nobody reads it
	}
	if x.held[i] {
		before = x.forms[i].banks()
	}
	x.use.change(int(a.Bank), before, f.banks(), now)
	x.held[i], x.forms[i] = true, f
}

// takeMoved receives the registers that the decompressors send.
func (x *Compressors) takeMoved() {
	for v := x.Moved.Take(); v != nil; v = x.Moved.Take() {
		i := slices.IndexFunc(x.queue, func(w write) bool { return w.begun && w.move == v.Tag })
		x.queue[i].moved, x.queue[i].old = true, v.Content
	}
}

// takeResults accepts results while there is room.
func (x *Compressors) takeResults() {
	for a := x.Result.Head(); a != nil && len(x.queue) < cap(x.queue); a = x.Result.Head() {
		v := x.values.Take(a.Content.Seq, a.Reg)
		x.queue = append(x.queue, write{Access: *a, form: formOf(v, a.Content.Lanes, x.spec.Delta)})
		x.Result.Pop()
	}
}

// awaited reports whether one of the results is for a register.
func awaited(list []write, warp uint16, r ir.RegID) bool {
	for i := range list {
		if list[i].Warp == warp && list[i].Reg == r {
			return true
		}
	}
	return false
}

// sendWrites works at all results, the oldest first.
func (x *Compressors) sendWrites(now wire.Cycle) {
	left := x.start
	for i := 0; i < len(x.queue); {
		w := &x.queue[i]
		if w.Content.Lanes == version.FullMask && !w.begun && left > 0 {
			w.begun, w.ready = true, now+wire.Cycle(x.spec.Compression)-1
			left--
		}
		if !awaited(x.queue[:i], w.Warp, w.Reg) && x.send(w, now) {
			x.queue = slices.Delete(x.queue, i, i+1)
			continue
		}
		i++
	}
}

// send sends a result to the banks, the oldest of its register. It returns false if it must wait.
func (x *Compressors) send(w *write, now wire.Cycle) bool {
	switch {
	case w.Content.Lanes == version.FullMask:
		if !w.begun || now < w.ready || !x.Write.CanPut() {
			return false
		}
		x.put(&w.Access, w.form, now)
		x.count.forms[w.form]++
		x.count.plainWrites += groups
	case !w.begun && x.forms[x.entryIndex(w.Warp, w.Reg)] == full:
		if !x.Write.CanPut() {
			return false
		}
		x.putPartial(w, now)
	case w.moved:
		if x.Write.Room(2) < 2 {
			return false
		}
		a := w.Access
		if a.Cause, a.Content = bank.Expansion, w.old; x.check == nil {
			a.Content = version.Content{Lanes: version.FullMask}
		}
		x.put(&a, full, now)
		x.putPartial(w, now)
	default:
		x.move(w)
		return false
	}
	return true
}

// putPartial sends a result of some lanes.
func (x *Compressors) putPartial(w *write, now wire.Cycle) {
	x.put(&w.Access, full, now)
	x.count.partial++
	x.count.plainWrites += bank.LaneGroups(w.Content.Lanes)
}

// put sends a write of a register in some form.
func (x *Compressors) put(a *bank.Access, f form, now wire.Cycle) {
	out := x.Write.Slot()
	*out = *a
	if f != full {
		out.Kind, out.Slot = bank.Packed, uint8(f.banks())
	}
	x.Write.PutSlot()
	x.store(a, f, now)
}

// move reads a compressed register, to be written in full.
func (x *Compressors) move(w *write) {
	if w.begun || !x.Read.CanPut() {
		return
	}
	x.moves++
	w.begun, w.move = true, x.moves
	f := x.forms[x.entryIndex(w.Warp, w.Reg)]
	r := x.Read.Slot()
	*r = bank.Request{Tag: w.move, Lanes: f.lanes(), Warp: w.Warp, N: 1, Cause: bank.Expansion}
	r.Bank[0], r.Entry[0], r.Reg[0], r.Slot[0] = w.Bank, w.Entry, w.Reg, toCompressors|uint8(f)<<formShift
	x.Read.PutSlot()
	x.count.moves++
}

// events are the events of warps that give up registers.
var events = regfile.Events(regfile.WarpStarted, regfile.WarpFinished)

// Waiting reports the messages held up by the compressors.
func (x *Compressors) Waiting() string {
	n, r := x.Request.Len()+len(x.pending), x.Result.Len()+len(x.queue)
	if n+r == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests and %d results wait", n, r)
}
