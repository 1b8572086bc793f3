package marks

import (
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// The registers of a random program: general ones, a random number of each lane, scratch, the fuel of the lane for
// backward branches, and the lanes before a diamond.
const (
	general  = 4
	chance   = 4
	scratch  = 5
	fuel     = 6
	together = 7
	regs     = 8
)

// writer writes a program of statements with branches to any other statement, forward and backward, by some lanes
// or all: reducible or not. A branch backward costs fuel, so each lane ends.
type writer struct {
	t     *rapid.T
	n     int // statements; number n is the exit
	insts []ir.Inst
	start []int // of the statements
	sites []int // behind calls
}

var quit = ir.Inst{Op: ir.OpExit, Flow: ir.FlowQuit}

func (w *writer) put(in ...ir.Inst) { w.insts = append(w.insts, in...) }

func (w *writer) upTo(what string, from, to int) int { return rapid.IntRange(from, to).Draw(w.t, what) }

func (w *writer) reg() int { return w.upTo("register", 0, general-1) }

func (w *writer) guard() ir.Operand {
	p := ir.P(0)
	p.Neg = rapid.Bool().Draw(w.t, "negated")
	return p
}

func alu(op ir.Op, d int, src ...ir.Operand) ir.Inst {
	return ir.Inst{Op: op, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Part: ir.Lo}, Dst: []ir.Operand{r(d)}, Src: src}
}

func below(a int, n uint64) ir.Inst {
	return ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.LT}, Dst: []ir.Operand{ir.P(0)},
		Src: []ir.Operand{r(a), ir.Imm(n, 1)}}
}

// draw gives each lane a number below 8, and lets P0 be true in some of them.
func (w *writer) draw() {
	w.put(alu(ir.OpMad, chance, r(chance), ir.Imm(1664525, 1), ir.Imm(1013904223, 1)),
		alu(ir.OpShr, scratch, r(chance), ir.Imm(29, 1)),
		below(scratch, uint64(w.upTo("chance", 1, 7))))
}

// statement writes the one with a number. Targets are statements, for now.
func (w *writer) statement(i int) {
	at := func(guard ir.Operand, in ir.Inst) ir.Inst {
		in.Guard = guard
		return in
	}
	forward := func() int { return w.upTo("forward", i+1, w.n) }
	switch w.upTo("kind", 0, 19) {
	case 0, 1: // some, forward
		w.draw()
		w.put(at(w.guard(), jump(forward())))
	case 2, 3: // some, anywhere, while they have fuel
		w.draw()
		spend := alu(ir.OpSub, fuel, r(fuel), ir.Imm(1, 1))
		none := ir.P(0)
		none.Neg = true
		w.put(alu(ir.OpSelp, scratch, r(fuel), ir.Imm(0, 1), ir.P(0)), below(scratch, 1), at(none, spend),
			at(none, jump(w.upTo("anywhere", 0, w.n))))
	case 4: // all that are here
		w.put(jump(forward()))
	case 5: // each to one of several
		w.draw()
		w.put(ir.Inst{Op: ir.OpBrx, Src: []ir.Operand{r(scratch)}, Targets: []int{forward(), forward(), forward(),
			forward(), w.n, forward(), i + 1, forward()}})
	case 6:
		w.put(at(w.guard(), exit))
	case 7:
		w.put(at(w.guard(), add(w.reg(), w.reg(), w.reg())))
	case 8, 9:
		w.diamond()
	case 17:
		w.quits()
	case 18:
		w.call()
	case 19:
		w.lock()
	case 10, 11, 12:
		w.put(mov(w.reg(), ir.Imm(uint64(i), 1)))
	default:
		w.put(add(w.reg(), w.reg(), w.reg()))
	}
}

// quits lets some lanes quit, so that the others meet before the exit.
func (w *writer) quits() {
	w.draw()
	w.put(bra(0), quit)
	w.insts[len(w.insts)-2].Target = -len(w.insts)
}

// call writes a call of the program's function by the lanes with fuel. A lane that calls spends some.
func (w *writer) call() {
	spend := alu(ir.OpSub, fuel, r(fuel), ir.Imm(1, 1))
	w.put(below(fuel, 1), bra(0))
	over := len(w.insts) - 1
	w.put(spend, ir.Inst{Op: ir.OpBra, Flow: ir.FlowCall, Target: function, Targets: []int{0}})
	w.insts[len(w.insts)-1].Targets[0] = -len(w.insts)
	w.sites = append(w.sites, len(w.insts))
	w.insts[over].Target = -len(w.insts)
}

// function is the target of a call until the function's place is known.
const function = 1 << 20

// body writes the function: statements of its own, among them calls of itself, with branches that stay in it.
func (w *writer) body() int {
	at := len(w.insts)
	for range w.upTo("body", 1, 4) {
		switch w.upTo("in body", 0, 3) {
		case 0:
			w.call()
		case 1:
			w.put(add(w.reg(), w.reg(), w.reg()))
		default:
			w.sides(false)
		}
	}
	w.put(ir.Inst{Op: ir.OpBrx, Flow: ir.FlowReturn, Src: []ir.Operand{r(scratch)}, Targets: w.sites})
	return at
}

// lock writes a lock taken by one lane after the other, with instructions under it.
func (w *writer) lock() {
	word := func(op ir.Atomic, src ...ir.Operand) ir.Inst {
		return ir.Inst{Op: ir.OpAtom, Type: ir.B32, Space: ir.Shared, Mods: ir.Mods{Atomic: op},
			Dst: []ir.Operand{r(scratch)}, Src: src}
	}
	spin := bra(0)
	spin.Target, spin.Guard.Neg = -len(w.insts), true
	w.put(word(ir.AtomCas, ir.Imm(0, 1), ir.Imm(1, 1)), below(scratch, 1), spin)
	w.straight()
	w.put(word(ir.AtomExch, ir.Imm(0, 1)))
}

func (w *writer) straight() {
	for range w.upTo("side", 0, 3) {
		if rapid.Bool().Draw(w.t, "constant") {
			w.put(mov(w.reg(), ir.Imm(1, 1)))
		} else {
			w.put(add(w.reg(), w.reg(), w.reg()))
		}
	}
}

// diamond writes a branch with two sides of some instructions each. In some diamonds the sides wait for each other,
// possibly with a diamond of its own before and behind the wait in one of them.
func (w *writer) diamond() {
	meet := rapid.Bool().Draw(w.t, "meet")
	if meet {
		w.put(ir.Inst{Op: ir.OpActivemask, Type: ir.B32, Dst: []ir.Operand{r(together)}})
	}
	w.sides(meet)
}

func (w *writer) sides(meet bool) {
	alone := meet && w.upTo("alone", 0, 3) == 0 // one side waits for the end of the other's lanes
	side := func() {
		w.straight()
		if !meet {
			if w.upTo("quits", 0, 3) == 0 {
				w.quits()
				w.straight()
			}
			return
		}
		if rapid.Bool().Draw(w.t, "within") {
			w.sides(false)
		}
		w.put(ir.Inst{Op: ir.OpBarWarp, Src: []ir.Operand{r(together)}})
		w.straight()
		if rapid.Bool().Draw(w.t, "behind") {
			w.sides(false)
		}
	}
	w.draw()
	branch := len(w.insts)
	w.put(bra(0))
	side()
	over := len(w.insts)
	w.put(jump(0))
	w.insts[branch].Target = -len(w.insts) // below 0: where it leads, not a statement
	meet = meet && !alone
	side()
	w.insts[over].Target = -len(w.insts)
}

// program is a random kernel, ready to be executed.
func program(t *rapid.T) *ir.Kernel {
	w := &writer{t: t, n: rapid.IntRange(2, 24).Draw(t, "statements")}
	w.put(alu(ir.OpMad, chance, special(ir.TidX), ir.Imm(2654435761, 1), ir.Imm(uint64(w.upTo("seed", 0, 1<<30)), 1)),
		mov(fuel, ir.Imm(5, 1)))
	for i := range w.n {
		w.start = append(w.start, len(w.insts))
		w.statement(i)
	}
	w.start = append(w.start, len(w.insts))
	w.put(exit)
	at := 0
	if len(w.sites) > 0 {
		at = w.body()
	}
	for i := range w.insts {
		w.link(&w.insts[i], at)
	}
	k := kernel(w.insts...)
	k.Name, k.NumRegs, k.SharedBytes = "random", regs, 4
	cfg.Build(k.Insts).SetReconv(k.Insts)
	return k
}

// link gives an instruction its targets, with the function at a PC.
func (w *writer) link(in *ir.Inst, at int) {
	switch {
	case in.Flow == ir.FlowCall:
		in.Target, in.Targets = at, []int{-in.Targets[0]}
		return
	case in.Flow == ir.FlowReturn:
		return
	case in.Target < 0:
		in.Target = -in.Target
	case in.Op == ir.OpBra:
		in.Target = w.start[in.Target]
	}
	for j, to := range in.Targets {
		in.Targets[j] = w.start[to]
	}
}

// emulated executes a kernel and returns the streams of its warps, one of them a partial warp.
func emulated(t *rapid.T, k *ir.Kernel) (out []stream.Warp) {
	p, err := emu.Prepare(k)
	if err != nil {
		t.Fatal(err)
	}
	l, err := emu.NewLaunch(p, &mem.Memory{}, &host.Launch{Kernel: k.Name, Grid: [3]int{1, 1, 1},
		Block: [3]int{50, 1, 1}}, emu.Limits{}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s := emu.NewSource(l, 1)
	defer s.Close()
	for c := s.Next(); c != nil; c = s.Next() {
		out = append(out, c.Warps...)
	}
	var hang *emu.HangError
	if err := s.Err(); errors.As(err, &hang) {
		return nil // a side that waits alone, for lanes that wait elsewhere
	} else if err != nil {
		t.Fatal(err)
	}
	return out
}

// lostReads fails if a lane reads a register marked dead since its last write. It counts the marks executed, and
// those of them with lanes elsewhere.
func lostReads(t *rapid.T, k *ir.Kernel, w *stream.Warp) (marked, apart int) {
	var lost [regs]uint32
	live := w.Runs[0].Mask
	var c stream.Cursor
	var d stream.Dyn
	c.Start(k, w)
	for c.Next(&d) {
		in := &d.Inst.T
		for _, r := range in.Src[:in.NSrc] {
			if m := lost[r] & d.Exec; m != 0 {
				t.Fatalf("%d %s: lanes %08x of R%d had been called dead", d.PC, d.Inst, m, r)
			}
		}
		for i, r := range in.Src[:in.NSrc] {
			if in.Dead>>i&1 == 0 || d.Exec == 0 {
				continue
			}
			lost[r] = ^uint32(0)
			if marked++; d.Active != live {
				apart++
			}
		}
		for _, r := range in.Dst[:in.NDst] {
			lost[r] &^= d.Exec
		}
		if d.Inst.Op == ir.OpExit {
			live &^= d.Exec
		}
	}
	return marked, apart
}

func TestNoLaneReadsWhatAnotherCalledDead(t *testing.T) {
	marked, apart := 0, 0 // marks met, those with lanes elsewhere
	one := func(t *rapid.T) {
		k := program(t)
		k.Varying = Branches(k)
		Dead(k)
		for _, w := range emulated(t, k) {
			m, a := lostReads(t, k, &w)
			marked, apart = marked+m, apart+a
		}
	}
	for range 20 {
		rapid.Check(t, one)
	}
	if apart == 0 {
		t.Errorf("of %d marks none came where lanes were elsewhere", marked)
	}
	t.Logf("%d marks, %d with lanes elsewhere", marked, apart)
}

// lostLive fails if a lane reads a register not live for its warp at some instruction since its last write. It
// counts the registers lost in this way in diverged warps.
func lostLive(t *rapid.T, k *ir.Kernel, w *stream.Warp) (apart int) {
	live := Live(k)
	var lost [regs]uint32
	lanes := w.Runs[0].Mask
	var c stream.Cursor
	var d stream.Dyn
	c.Start(k, w)
	for c.Next(&d) {
		for r := range regs {
			if !live[d.PC].Has(r) {
				lost[r] = ^uint32(0)
				if d.Active != lanes {
					apart++
				}
			}
		}
		in := &d.Inst.T
		for _, r := range in.Src[:in.NSrc] {
			if m := lost[r] & d.Exec; m != 0 {
				t.Fatalf("%d %s: lanes %08x of R%d were not live", d.PC, d.Inst, m, r)
			}
		}
		for _, r := range in.Dst[:in.NDst] {
			lost[r] &^= d.Exec
		}
		if d.Inst.Op == ir.OpExit {
			lanes &^= d.Exec
		}
	}
	return apart
}

func TestNoLaneReadsWhatWasNotLiveForItsWarp(t *testing.T) {
	apart := 0
	one := func(t *rapid.T) {
		k := program(t)
		k.Varying = Branches(k)
		for _, w := range emulated(t, k) {
			apart += lostLive(t, k, &w)
		}
	}
	for range 20 {
		rapid.Check(t, one)
	}
	if apart == 0 {
		t.Error("no register was lost while lanes were elsewhere")
	}
}
