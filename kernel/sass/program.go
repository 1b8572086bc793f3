package sass

import (
	"bytes"
	"slices"

	"kumiko/kernel/sass/opcode"
)

// program collects the static instructions of a trace. An instruction is identified by its address and the text of
// its lines behind the mask, since called functions have addresses of their own, possibly equal to the kernel's.
type program struct {
	small []*static // by address / 8
	large map[uint64]*static
	order []*static // as they were first seen
	fixed bool      // nothing may be added
	most  int       // instructions
}

// static is one instruction.
type static struct {
	next *static // at the same address
	pc   uint64
	text []byte // of a line, from the number of results to the memory width
	// earlier is the text in the form of earlier Kumiko versions; nil: the same
	earlier []byte
	old     bool  // a line was
	index   int32 // in the program, by address
	line    int32 // of the trace, where it was first seen
	source  int32 // of the source, 0 unless the trace has line numbers
	code    opcode.Code
	dst     []opcode.Reg
	src     []opcode.Reg
	width   int // of memory, as the trace has it
	imms    []int64
	seen    uint64 // how often
	flow    flow
}

// smallPC bounds the addresses in the directly indexed table.
const smallPC = 1 << 22

// chain returns the first instruction at an address, nil if there is none. Others at the address follow by next.
func (p *program) chain(pc uint64) *static {
	if pc&7 == 0 && pc < smallPC {
		if i := int(pc >> 3); i < len(p.small) {
			return p.small[i]
		}
		return nil
	}
	return p.large[pc]
}

func (p *program) insert(s *static) {
	first := p.chain(s.pc)
	p.order = append(p.order, s)
	if first != nil {
		for first.next != nil {
			first = first.next
		}
		first.next = s
		return
	}
	if s.pc&7 == 0 && s.pc < smallPC {
		i := int(s.pc >> 3)
		if i >= len(p.small) {
			p.small = append(p.small, make([]*static, i+256-len(p.small))...)
		}
		p.small[i] = s
		return
	}
	if p.large == nil {
		p.large = map[uint64]*static{}
	}
	p.large[s.pc] = s
}

// find returns the instruction at pc with the rest of the line, from the number of results on, and moves f past it.
// It returns nil if there is none.
func (p *program) find(pc uint64, f *fields) *static {
	f.space()
	rest := f.b[f.i:]
	for s := p.chain(pc); s != nil; s = s.next {
		n := begins(rest, s.text)
		if n == 0 && s.earlier != nil {
			n = begins(rest, s.earlier)
			s.old = s.old || n > 0
		}
		if n > 0 {
			f.i += n
			return s
		}
	}
	return nil
}

// begins returns the length of fields if line begins with them, and 0 otherwise.
func begins(line, fields []byte) int {
	n := len(fields)
	if bytes.HasPrefix(line, fields) && (n == len(line) || line[n] == ' ' || line[n] == '\t') {
		return n
	}
	return 0
}

// maxVariants bounds the instructions at one address, and maxInsts the instructions of a program: a file with more
// is not a trace.
const (
	maxVariants = 64
	maxInsts    = 1 << 20
	maxOpcode   = 80 // bytes
)

// add reads the rest of a line as a new instruction.
func (p *program) add(pc uint64, f *fields) (*static, error) {
	s := &static{pc: pc}
	f.space()
	from := f.i
	n := 0
	for v := p.chain(pc); v != nil; v = v.next {
		n++
	}
	if n >= maxVariants {
		return nil, badField(from, "found %d different instructions at this address, expected at most %d", n+1,
			maxVariants)
	}
	if len(p.order) >= p.most {
		return nil, badField(from, "found more than %d different instructions, expected fewer "+
			"(--max-trace-instructions %d)",
			p.most, p.most)
	}
	var err error
	if s.dst, err = f.registers("the number of results, 0 to 8"); err != nil {
		return nil, err
	}
	at := f.i
	name := string(f.word())
	if !opcode.Valid(name) || len(name) > maxOpcode {
		f.i = at
		f.space()
		return nil, f.bad(f.i, "an opcode")
	}
	s.code = opcode.Parse(name)
	if s.src, err = f.registers("the number of sources, 0 to 8"); err != nil {
		return nil, err
	}
	if s.width, err = s.readWidth(f); err != nil {
		return nil, err
	}
	s.text = bytes.Clone(f.b[from:f.i])
	p.insert(s)
	return s, nil
}

// readWidth reads the memory width. Tracers have reported it wrongly, but always as a possible access size, and
// above 0 together with addresses.
func (s *static) readWidth(f *fields) (int, error) {
	f.space()
	from := f.i
	n, err := f.count(1<<20, "the width of the memory access, 0 for none")
	switch {
	case err != nil:
		return 0, err
	case n&(n-1) != 0 && !s.code.Bulk():
		return 0, f.bad(from, "the width of the memory access, a power of two")
	case n == 0 && s.code.Addressed():
		return 0, badField(from, "found the width 0 and so no addresses, expected those of %s", s.code.Name)
	}
	return n, nil
}

// registers reads a number, followed by this number of register names.
func (f *fields) registers(want string) ([]opcode.Reg, error) {
	n, err := f.count(8, want)
	if err != nil {
		return nil, err
	}
	var list []opcode.Reg
	for range n {
		f.space()
		from := f.i
		r, ok := opcode.ParseReg(f.word())
		if !ok {
			return nil, f.bad(from, "a register, R0 to R255 or UR0 to UR63")
		}
		list = append(list, r)
	}
	return list, nil
}

// number gives every instruction its place, by address.
func (p *program) number() {
	slices.SortStableFunc(p.order, func(a, b *static) int {
		switch {
		case a.pc < b.pc:
			return -1
		case a.pc > b.pc:
			return 1
		}
		return 0
	})
	for i, s := range p.order {
		s.index = int32(i)
	}
	p.fixed = true
}
