package sass

import (
	"crypto/sha256"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// recover makes a kernel of the instructions seen in the trace, in the order of their addresses.
//
// The control-flow graph has every edge taken by a lane. Guards follow from the masks, each with a predicate of its
// own, since a trace does not show equal guards. So a guarded write never ends the life of a register. A branch
// never taken is assumed to lead to code reading every register. A branch always taken is assumed to fall through
// as well, if the next address is part of the program.
func (l *Launch) recover() *ir.Kernel {
	k := &ir.Kernel{Name: l.Name, File: l.File, Allocated: true, SharedBytes: l.SharedBytes,
		Footprint: footprint(l.Registers)}
	k.Insts = make([]ir.Inst, len(l.prog.order))
	for i, s := range l.prog.order {
		in := s.code.Build(s.dst, s.src, s.width > 0, s.imms)
		in.Line = s.source
		if in.Line == 0 {
			in.Line = s.line
		}
		k.Insts[i] = in
		k.NumRegs = max(k.NumRegs, highest(&in.T)+1)
	}
	k.NumRegs = max(k.NumRegs, l.Registers)
	k.Places = l.places()
	k.NumPreds = 7 // P0 to P6, should a trace name them
	for i, s := range l.prog.order {
		l.connect(k, i, s)
		if in := &k.Insts[i]; in.Guard.Kind != ir.KindNone {
			in.T.Guarded = true
		}
	}
	g := cfg.Build(k.Insts)
	g.SetReconv(k.Insts)
	k.Varying = l.diverged(k)
	marks.Dead(k)
	for i, s := range l.prog.order {
		if s.flow.apart {
			k.Insts[i].T.Dead = 0 // lanes elsewhere may need the register
		}
	}
	marks.LongConsumers(k)
	marks.Far(k)
	marks.Next(k)
	return k
}

// maxPlace bounds the numbers of instructions in the code of a kernel.
const maxPlace = 1 << 20

// places returns the number of every instruction in the code, by its address: an instruction has 16 bytes from
// Volta on and 8 before. It returns nil if the addresses do not determine the numbers: functions at the same
// addresses as the kernel, or far from it.
func (l *Launch) places() []uint32 {
	size := uint64(instBytes)
	if l.BinaryVersion < 70 {
		size = 8
	}
	out := make([]uint32, len(l.prog.order))
	for i, s := range l.prog.order {
		n := s.pc / size
		if s.pc%size != 0 || n >= maxPlace || i > 0 && uint32(n) == out[i-1] {
			return nil
		}
		out[i] = uint32(n)
	}
	return out
}

// footprint returns the registers of a thread, rounded up to a multiple of four, up to maxRegisters.
func footprint(registers int) int { return min(max(4, (registers+3)/4*4), maxRegisters) }

func highest(t *ir.Timing) int {
	h := -1
	for _, r := range t.Src[:t.NSrc] {
		h = max(h, int(r))
	}
	for _, r := range t.Dst[:t.NDst] {
		h = max(h, int(r))
	}
	return h
}

// connect sets the guard of instruction i and the targets of a branch.
func (l *Launch) connect(k *ir.Kernel, i int, s *static) {
	in := &k.Insts[i]
	guard := s.flow.guarded
	switch {
	case s.code.Jumps():
		guard = l.branch(k, i, s)
	case s.code.Exits():
		guard = s.flow.falls || !s.flow.taken
	}
	if guard {
		in.Guard = ir.P(ir.Pred(k.NumPreds))
		k.NumPreds++
	}
}

// branch sets the targets of instruction i, and returns whether it may fall through.
func (l *Launch) branch(k *ir.Kernel, i int, s *static) (guarded bool) {
	in := &k.Insts[i]
	falls := s.flow.falls || s.flow.guarded
	var targets []int
	for _, t := range s.flow.targets {
		if int(t.index) == i+1 && t.pc-s.pc <= maxStep {
			falls = true
			continue
		}
		targets = append(targets, int(t.index))
	}
	next := i+1 < len(l.prog.order) && l.prog.order[i+1].pc-s.pc <= maxStep
	switch {
	case len(targets) == 0 && falls && s.flow.taken:
		in.Op = ir.OpNop // goes on with the next instruction, as BSYNC does
		return s.flow.guarded
	case len(targets) == 0:
		in.Op, in.Target = ir.OpBra, len(k.Insts)
		in.Src = []ir.Operand{ir.R(0, min(max(k.NumRegs, 1), maxRegisters))}
		return true
	case len(targets) == 1:
		in.Op, in.Target = ir.OpBra, targets[0]
	default:
		in.Op, in.Targets = ir.OpBrx, targets
	}
	return falls || next && conditional(s)
}

// conditional reports whether a branch may go either way: BRA may, whatever it did; calls and returns may not.
func conditional(s *static) bool {
	n := s.code.Name
	return len(n) >= 3 && (n[:3] == "BRA" || n[:3] == "BRK")
}

// diverged reports, for every branch in program order, whether lanes were seen to diverge there.
func (l *Launch) diverged(k *ir.Kernel) []bool {
	var out []bool
	for i, s := range l.prog.order {
		if op := k.Insts[i].Op; op == ir.OpBra || op == ir.OpBrx {
			out = append(out, s.flow.diverged || len(s.flow.targets) > 1)
		}
	}
	return out
}

// report counts the instructions and the inferred properties.
func (l *Launch) report() {
	r := &l.Report
	r.Own = l.own != nil
	r.Static = len(l.prog.order)
	if !r.Own {
		l.reportOpcodes()
	}
	for i, s := range l.prog.order {
		in := &l.Kernel.Insts[i]
		branch := in.Op == ir.OpBra || in.Op == ir.OpBrx
		switch {
		case branch:
			r.Branches++
			if len(s.flow.targets) == 0 || !s.flow.falls && in.Guard.Kind != ir.KindNone {
				r.OneWay++
			}
		case in.Guard.Kind != ir.KindNone:
			r.Guards++
		}
	}
}

// reportOpcodes counts the opcodes that are unknown, and those that are simulated in part.
func (l *Launch) reportOpcodes() {
	r := &l.Report
	unknown, partial := map[string]int{}, map[string]int{}
	for _, s := range l.prog.order {
		first := Unknown{Opcode: s.code.Name, Line: int(s.line)}
		var u *Unknown
		switch why := s.code.Lacks(); {
		case !s.code.Known:
			n, ok := unknown[first.Opcode]
			if !ok {
				n = len(r.Unknown)
				unknown[first.Opcode] = n
				r.Unknown = append(r.Unknown, first)
			}
			u = &r.Unknown[n]
			r.UnknownExecutions += s.seen
		case why != "":
			n, ok := partial[first.Opcode]
			if !ok {
				n = len(r.Partial)
				partial[first.Opcode] = n
				r.Partial = append(r.Partial, Partial{first, why})
			}
			u = &r.Partial[n].Unknown
		default:
			continue
		}
		u.Count += s.seen
		u.Line = min(u.Line, int(s.line))
	}
}

// adopt uses the program in the file.
func (l *Launch) adopt() error {
	k := l.own
	if at, err := saneKernel(k); err != nil {
		p := l.ownAt[at+1]
		return locate(l.File, p.line, badField(p.at, "%v", err))
	}
	k.File, k.Name = l.File, l.Name
	for i := range k.Insts {
		s := &static{pc: uint64(i) * instBytes, index: int32(i)}
		s.text, s.width = lineOf(&k.Insts[i])
		s.earlier = earlierLine(s.text)
		l.prog.insert(s)
	}
	l.prog.fixed = true
	marks.Next(k) // the file leaves the distances out
	l.Kernel = k
	return nil
}

// LineOf returns the line of the trace with the first occurrence of an instruction of the kernel.
func (l *Launch) LineOf(pc int) int {
	if l.own != nil {
		return l.ownAt[pc+1].line
	}
	return int(l.prog.order[pc].line)
}

// Code returns a digest of the program without its file's name. It is equal for launches of the same code if their
// traces show the same parts of it.
func (l *Launch) Code() [sha256.Size]byte {
	k := *l.Kernel
	k.File = ""
	text, err := sparse(&k)
	if err != nil {
		panic(err) // plain data
	}
	return sha256.Sum256(text)
}
