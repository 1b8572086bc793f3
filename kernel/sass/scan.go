package sass

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"math/bits"
	"strconv"

	"kumiko/kernel/ir"
)

// Launch is a trace after the first pass.
type Launch struct {
	Header
	File   string
	Kernel *ir.Kernel
	Report Report
	// Sum is the SHA-256 of the file as it is on disk.
	Sum [sha256.Size]byte

	lim    Limits
	peer   peerNotes
	prog   program
	blocks []blockAt // in the order of the file
	plain  bool      // not compressed
	sorted bool      // the file has the blocks in grid order
}

// blockAt is the place of a CTA in the file.
type blockAt struct {
	index, line int
	offset      int64
}

// Report counts the contents of a trace and the guesses about them.
type Report struct {
	Blocks            int
	WarpInstructions  uint64
	LaneInstructions  uint64
	MemoryAccesses    uint64 // warp instructions with addresses
	Static            int    // instructions seen
	Guards            int    // of them: under a guard, as the masks show
	Branches          int    // of them: may jump
	OneWay            int    // of them: branches seen to go one way only
	Unknown           []Unknown
	Partial           []Partial
	UnknownExecutions uint64
	Own               bool // the file holds its program
}

// Inferred returns the share of the static instructions with guards or branches inferred from masks and order,
// because the trace does not have them.
func (r *Report) Inferred() float64 {
	if r.Own || r.Static == 0 {
		return 0
	}
	return float64(r.Guards+r.Branches) / float64(r.Static)
}

// Unknown is an opcode outside the table, and its first occurrence.
type Unknown struct {
	Opcode string
	Line   int
	Count  uint64 // executions
}

// Partial is an opcode that is simulated in part, and its first occurrence.
type Partial struct {
	Unknown
	Lacks string // what is left out
}

// Options of reading.
type Options struct {
	// Strict refuses opcodes outside the table, opcodes that are simulated in part, and clusters.
	Strict bool
	// Quit, if not nil, stops the reading when it is closed.
	Quit <-chan struct{}
	Limits
}

// Limits bound the size of a trace. A zero field stands for its default.
type Limits struct {
	// Instructions of a program, different in address or operands. Default 2^20.
	Instructions int
	// LineBytes is the largest length of a line: 32 addresses need some 700 bytes, a header line of a long
	// instruction a few thousand. Default 1 MiB.
	LineBytes int
	// BlockBytes is the largest text of a CTA of a .tracez file, in bytes; it is in memory as a whole. Default 2
	// GiB.
	BlockBytes int
}

// orDefault returns the limits with zeros replaced by the defaults.
func (l Limits) orDefault() Limits {
	l.Instructions = cmp.Or(l.Instructions, maxInsts)
	l.LineBytes = cmp.Or(l.LineBytes, maxLine)
	l.BlockBytes = cmp.Or(l.BlockBytes, maxBlock)
	return l
}

// Load reads a trace once. Its error is an *Error, or the system's.
func Load(file string, opt Options) (*Launch, error) {
	opt.Limits = opt.Limits.orDefault()
	sum := sha256.New()
	in, err := openInput(file, sum, opt.Limits)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	l, err := scan(file, in, opt)
	if err != nil {
		return nil, err
	}
	l.plain = in.plain
	if err := finishSum(in, sum); err != nil {
		return nil, &Error{File: file, Msg: err.Error()}
	}
	copy(l.Sum[:], sum.Sum(nil))
	if err := l.list(); err != nil {
		return nil, err
	}
	return l, nil
}

// ReadHeader reads the header of a trace. Its error is an *Error, or the system's.
func ReadHeader(file string, lim Limits) (*Header, error) {
	lim = lim.orDefault()
	in, err := openInput(file, nil, lim)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	from := newLines(in, lim.LineBytes)
	h, err := readHeader(from)
	if err != nil {
		return nil, locate(file, from.n, err)
	}
	return h, nil
}

// finishSum reads the rest of the file, not used by the decompressor.
func finishSum(in *input, sum hash.Hash) error {
	_, err := io.Copy(sum, in.file)
	return err
}

// scan makes the first pass over a trace.
func scan(file string, r io.Reader, opt Options) (*Launch, error) {
	opt.Limits = opt.Limits.orDefault()
	in := newLines(r, opt.LineBytes)
	h, err := readHeader(in)
	if err != nil {
		return nil, locate(file, in.n, err)
	}
	l := &Launch{Header: *h, File: file, lim: opt.Limits, prog: program{most: opt.Instructions}}
	s := &scanner{l: l, in: in, opt: opt, done: pages{}}
	if h.own != nil {
		if err := l.adopt(); err != nil {
			return nil, err
		}
	}
	w := &walker{h: &l.Header, in: in, v: s}
	if err := w.run(false); err == ErrStopped {
		return nil, err
	} else if err != io.EOF {
		return nil, locate(file, in.n, err)
	}
	if n := len(l.blocks); n != h.CTAs() {
		return nil, locate(file, in.n,
			badField(0, "found the end of the file behind %d thread blocks, expected the %d of the grid %s",
				n, h.CTAs(), triple(h.Grid)))
	}
	if l.Report.WarpInstructions == 0 {
		return nil, &Error{File: file, Msg: "found no instructions"}
	}
	if opt.Strict && l.Clustered > 0 {
		return nil, &Error{File: file, Line: l.Clustered, Col: 1, Msg: "found a thread block in a cluster, expected " +
			"each alone (or without --strict: any): thread blocks of a cluster are launched one by one"}
	}
	l.finish()
	return l, nil
}

func (l *Launch) finish() {
	l.Report.Blocks = len(l.blocks)
	l.sorted = true
	for i := range l.blocks {
		l.sorted = l.sorted && l.blocks[i].index == i
	}
	if l.own == nil {
		l.prog.number()
		l.Kernel = l.recover()
	}
	l.report()
}

// scanner is the visitor of the first pass.
type scanner struct {
	l    *Launch
	opt  Options
	done pages // blocks seen
	here int   // warps of the block with instructions
	// lanes of the current warp within the CTA
	lanes uint32
	path  follower
	in    *lines
	a     addresses
	imms  []int64
}

// pages is a set of numbers, with memory only for the used parts: the header may claim a grid of any size.
type pages map[int]*[1024]uint64

// add adds i. It returns whether i was new.
func (p pages) add(i int) bool {
	page := p[i>>16]
	if page == nil {
		page = &[1024]uint64{}
		p[i>>16] = page
	}
	word, bit := &page[i>>6&1023], uint64(1)<<(i&63)
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

func (s *scanner) block(index int, offset int64, line int) error {
	if !s.done.add(index) {
		return badField(0, "found a thread block a second time")
	}
	s.l.blocks = append(s.l.blocks, blockAt{index, line, offset})
	s.here = 0
	select {
	case <-s.opt.Quit:
		return ErrStopped
	default:
	}
	return nil
}

func (s *scanner) end() error {
	if n := (s.l.Threads() + 31) / 32; s.here < n {
		note(&s.l.peer.idle, s.in.n)
	}
	return nil
}

func (s *scanner) warp(w, insts int) error {
	if insts > 0 {
		s.here++
	}
	s.lanes = ^uint32(0)
	if n := s.l.Threads() - 32*w; n < 32 {
		s.lanes = 1<<n - 1
	}
	s.path.begin(s.lanes)
	return nil
}

func (s *scanner) inst(line []byte) error {
	l := s.l
	f := fields{b: line}
	pc, mask, source, err := l.head(&f, s.lanes)
	if err != nil {
		return err
	}
	from := f.i
	in := l.prog.find(pc, &f)
	fresh := in == nil
	if fresh {
		if in, err = s.fresh(pc, &f); err != nil {
			return err
		}
		in.source = source
	}
	if in.width > 0 {
		l.Report.MemoryAccesses++
		if in.code.Bulk() {
			err = bulk(&f)
		} else {
			err = s.a.memory(&f, mask)
			if s.a.regular && gaps(mask) {
				note(&l.peer.gap, s.in.n)
			}
		}
		if err != nil {
			return err
		}
	}
	if s.imms, err = tail(&f, s.imms[:0]); err != nil {
		return err
	}
	if fresh {
		in.imms = append(in.imms, s.imms...)
	}
	if l.own != nil {
		if t := &l.own.Insts[in.index].T; mask == 0 && !t.Guarded {
			return badField(from, "found no lane in the mask of an instruction that has no guard")
		}
	} else {
		s.path.step(in, mask)
	}
	in.seen++
	l.Report.WarpInstructions++
	l.Report.LaneInstructions += uint64(bits.OnesCount32(mask))
	return nil
}

// fresh adds a new instruction.
func (s *scanner) fresh(pc uint64, f *fields) (*static, error) {
	f.space()
	from := f.i
	if s.l.prog.fixed {
		return nil, f.bad(from, fmt.Sprintf("the instruction that the header has at %#x", pc))
	}
	in, err := s.l.prog.add(pc, f)
	if err != nil {
		return nil, err
	}
	in.line = int32(min(s.in.n, 1<<31-1))
	if !in.code.Known && s.opt.Strict {
		return nil, badField(from, "found the opcode %s, expected one of the table (or without --strict: any)",
			in.code.Name)
	}
	if why := in.code.Lacks(); why != "" && s.opt.Strict {
		return nil, badField(from, "found the opcode %s, expected one that is simulated whole (or without --strict: "+
			"any): %s", in.code.Name, why)
	}
	return in, nil
}

func itoa(n int) string { return strconv.Itoa(n) }

func triple(v [3]int) string { return fmt.Sprintf("(%d,%d,%d)", v[0], v[1], v[2]) }
