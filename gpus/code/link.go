package code

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/fetch"
	"kumiko/sm/program"
)

// constantsApart is the distance between the parameters of two streams in constant memory, more than any launch has.
// Launches of one stream run one after the other, so that theirs lie in one place.
const constantsApart = 1 << 20

// Linked is the code of launches that run side by side, as one program, because an SM has one program at a time.
type Linked struct {
	Program *program.Program
	parts   []part
}

// part is a kernel of a stream in the program.
type part struct {
	kernel *ir.Kernel // as it is alone
	stream int
	base   uint32     // PC of its first instruction
	linked *ir.Kernel // with the instructions of all
	insert *regfile.Insertions
	at     uint64 // its place in memory, in bytes from the first
}

// Link places kernels one behind the other in one program. A launch of kernels[i] in streams[i] has the kernel's
// instructions, with the stream's constants and the operations that inserts[i] adds. A kernel launched in several
// streams is in instruction memory once. The error names kernels too far apart there.
func (s *Store) Link(kernels []*ir.Kernel, streams []int, inserts []*regfile.Insertions) (*Linked, error) {
	l := &Linked{}
	for i, k := range kernels {
		if l.part(k, streams[i]) == nil {
			l.parts = append(l.parts, part{kernel: k, stream: streams[i], insert: inserts[i]})
		}
	}
	// Places in memory count from the lowest address.
	slices.SortStableFunc(l.parts, func(a, b part) int {
		return cmp.Compare(s.memory.of[a.kernel], s.memory.of[b.kernel])
	})
	whole, lowest := &ir.Kernel{Name: "side by side"}, s.memory.of[l.parts[0].kernel]
	to := s.cfg.SM.Target()
	for i := range l.parts {
		p := &l.parts[i]
		p.base = uint32(len(whole.Insts))
		p.at = s.memory.of[p.kernel] - lowest
		first := uint32(p.at / uint64(to.Bytes))
		for pc, in := range p.kernel.Insts {
			whole.Insts = append(whole.Insts, moved(in, int(p.base)))
			place := uint32(pc)
			if p.kernel.Places != nil {
				place = p.kernel.Places[pc]
			}
			whole.Places = append(whole.Places, first+place)
		}
		whole.NumRegs = max(whole.NumRegs, p.kernel.NumRegs)
		whole.NumPreds = max(whole.NumPreds, p.kernel.NumPreds)
		whole.Footprint = max(whole.Footprint, p.kernel.Footprint)
	}
	insert := l.insert()
	l.Program = program.New(whole, to, insert)
	l.Program.Code = lowest
	if insert != nil {
		if last := &l.parts[len(l.parts)-1]; last.at > math.MaxUint32-fetch.CodeSize {
			return nil, fmt.Errorf("kernel %s: found more than 4 GiB of instruction memory "+
				"between the kernels side by side, expected less with operations inserted into their code",
				last.kernel.Name)
		}
		l.Program.Layout = l.layout(to.Bytes)
	}
	for i := range l.parts {
		l.finish(&l.parts[i], whole.Insts)
	}
	return l, nil
}

// insert returns the operations inserted into the program.
func (l *Linked) insert() *regfile.Insertions {
	var each []*regfile.Insertions
	var sizes []int
	for i := range l.parts {
		each, sizes = append(each, l.parts[i].insert), append(sizes, len(l.parts[i].kernel.Insts))
	}
	return regfile.Joined(each, sizes)
}

// layout returns where the instructions and the inserted operations lie in memory. Each kernel has the layout that it
// has by itself, from its own place on.
func (l *Linked) layout(bytes int) program.Layout {
	out := program.Layout{Bytes: uint32(bytes)}
	for i := range l.parts {
		p := &l.parts[i]
		own := program.NewLayout(p.kernel, p.insert, bytes)
		for pc := range p.kernel.Insts {
			at := uint32(p.at + own.Offset(uint32(pc)))
			op := at
			if p.insert != nil {
				op = uint32(p.at + own.Before(uint32(pc)))
			}
			out.At, out.Op = append(out.At, at), append(out.Op, op)
		}
	}
	return out
}

// finish gives a part its constants, and the kernel with which its CTAs run.
func (l *Linked) finish(p *part, insts []ir.Inst) {
	for pc := range p.kernel.Insts {
		if x := &l.Program.Info[int(p.base)+pc]; x.Constant && x.ConstantAt < constantsApart {
			x.ConstantAt += uint64(p.stream) * constantsApart
		}
	}
	k := *p.kernel
	k.Insts, k.Places = insts, nil
	p.linked = &k
}

// moved returns an instruction whose PCs count from a base.
func moved(in ir.Inst, base int) ir.Inst {
	in.Target += base
	in.Reconv += base
	in.Targets = slices.Clone(in.Targets)
	for i := range in.Targets {
		in.Targets[i] += base
	}
	return in
}

func (l *Linked) part(k *ir.Kernel, of int) *part {
	if i := l.Number(k, of); i >= 0 {
		return &l.parts[i]
	}
	return nil
}

// Number returns the index of the part that is a kernel in a stream; -1: there is none.
func (l *Linked) Number(k *ir.Kernel, of int) int {
	return slices.IndexFunc(l.parts, func(p part) bool { return p.kernel == k && p.stream == of })
}

// Parts returns the kernels of all streams, by number, still without plans.
func (l *Linked) Parts() (out []regfile.Part) {
	for i := range l.parts {
		p := &l.parts[i]
		n := uint32(len(p.kernel.Insts))
		out = append(out, regfile.Part{First: int(p.base), Insts: l.Program.Kernel.Insts[p.base : p.base+n]})
	}
	return out
}

// CTA returns a CTA of a kernel in a stream with the PCs of the program. The CTA itself stays as it is.
func (l *Linked) CTA(c *stream.CTA, k *ir.Kernel, of int) *stream.CTA {
	p := l.part(k, of)
	out := *c
	out.Kernel, out.Warps = p.linked, slices.Clone(c.Warps)
	for i := range out.Warps {
		w := &out.Warps[i]
		w.Runs = slices.Clone(w.Runs)
		for r := range w.Runs {
			w.Runs[r].PC += p.base
		}
	}
	return &out
}
