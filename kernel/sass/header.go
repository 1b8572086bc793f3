package sass

import (
	"bytes"
	"encoding/json"
	"io"

	"kumiko/internal/excerpt"
	"kumiko/internal/infile"
	"kumiko/kernel/ir"
)

// Tracer versions with a readable format: 0, for headers without a version, to newest. Before shortLines every line
// begins with the CTA's three numbers and the warp's.
const (
	newest     = 6
	shortLines = 3
)

// Range of compute capabilities of the code, times ten: no GPU is older than 1.0, and none is near 20.0.
const (
	oldestBinary = 10
	newestBinary = 199
)

// maxRegisters is the largest number of registers of a thread.
const maxRegisters = 255

// windowSize is the size of the shared and of the local window of the generic address space, 16 MiB.
const windowSize = 1 << 24

// Header has the data of a trace about its launch.
type Header struct {
	Name        string
	Grid, Block [3]int
	SharedBytes int // per thread block, static and dynamic
	Registers   int // per thread
	// BinaryVersion is the compute capability of the code, 52 for 5.2.
	BinaryVersion int
	// SharedBase and LocalBase are the windows' addresses; 0: unknown.
	SharedBase, LocalBase uint64
	Version               int // of the tracer; 0: the header has none
	LineInfo              bool
	Stream                int // of CUDA, in which the kernel was launched
	Clustered             int // the line that shows thread blocks in clusters, once all are read; 0: none does
	Line                  int // of the file, where the kernel's name stands

	own    *ir.Kernel     // the program in the file itself, or nil
	ownAt  []place        // of the program's kernel, and then of its instructions
	keys   map[string]int // line of each
	format bool           // the line #traces format is there
}

// place is a byte of a line of the header.
type place struct{ line, at int }

// Threads per thread block.
func (h *Header) Threads() int { return h.Block[0] * h.Block[1] * h.Block[2] }

// CTAs in the grid.
func (h *Header) CTAs() int { return h.Grid[0] * h.Grid[1] * h.Grid[2] }

// readHeader reads up to the line of column names, beginning with "#".
func readHeader(in *lines) (*Header, error) {
	seen := map[string]int{}
	h := &Header{keys: seen}
	for {
		line, err := in.next()
		if err == io.EOF {
			return nil, badField(0, "found the end of the file, expected the header's lines and #traces format")
		}
		if err != nil {
			return nil, err
		}
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			continue
		case line[0] == '#':
			if bytes.HasPrefix(line, []byte("#BEGIN_TB")) {
				in.unread() // there was no #traces format
			} else {
				h.format = true
			}
			return h, h.check(seen)
		case line[0] != '-':
			if what, at := infile.Odd(line); what != "" {
				return nil, badField(at, "found %s, expected a trace, which is text", what)
			}
			f := fields{b: line}
			return nil, f.bad(0, "a line of the header, such as -grid dim = (1,1,1)")
		}
		eq := bytes.IndexByte(line, '=')
		if eq < 0 {
			return nil, badField(len(line), "found the end of the line, expected = and a value")
		}
		key := string(bytes.TrimSpace(line[1:eq]))
		if seen[key] > 0 && key != "kumiko inst" {
			return nil, badField(1, "found %q a second time", key)
		}
		seen[key] = in.n
		if key == "kernel name" {
			h.Line = in.n
		}
		if err := h.set(key, &fields{b: line, i: eq + 1}); err != nil {
			return nil, err
		}
		if key == "kumiko kernel" || key == "kumiko inst" {
			h.ownAt = append(h.ownAt, place{in.n, eq + 2})
		}
	}
}

func (h *Header) check(seen map[string]int) error {
	for _, key := range []string{"kernel name", "grid dim", "block dim", "shmem", "nregs"} {
		if seen[key] == 0 {
			return badField(0, "found the end of the header, expected a line -%s = ... in it", key)
		}
	}
	if h.Threads() > 1024 {
		return badField(0, "found %d threads in a block, expected at most 1024", h.Threads())
	}
	if seen["kumiko inst"] > 0 && h.own == nil {
		return badField(0, "found instructions, expected -kumiko kernel before them")
	}
	return nil
}

func (h *Header) set(key string, f *fields) (err error) {
	switch key {
	case "kernel name":
		h.Name, err = f.name()
	case "grid dim":
		h.Grid, err = f.triple(1<<31 - 1)
	case "block dim":
		h.Block, err = f.triple(1024)
	case "shmem":
		h.SharedBytes, err = f.count(windowSize, "bytes of shared memory")
	case "nregs":
		h.Registers, err = f.count(maxRegisters, "0 to 255 registers")
	case "binary version":
		f.space()
		from := f.i
		h.BinaryVersion, err = f.count(newestBinary, "a compute capability such as 80")
		if err == nil && h.BinaryVersion < oldestBinary {
			return f.bad(from, "a compute capability such as 80")
		}
	case "cuda stream id":
		h.Stream, err = f.count(1<<62, "the number of a stream")
	case "shmem base_addr":
		h.SharedBase, err = f.hex("an address")
	case "local mem base_addr":
		h.LocalBase, err = f.hex("an address")
	case "enable lineinfo":
		n := 0
		n, err = f.count(1, "0 or 1")
		h.LineInfo = n == 1
	case "accelsim tracer version":
		f.space()
		from := f.i
		h.Version, err = f.count(1<<20, "a version from 0 to 6")
		if err == nil && h.Version > newest {
			return f.bad(from, "a version from 0 to 6")
		}
	case "kumiko program", "kumiko kernel", "kumiko inst":
		err = h.program(key, f)
	}
	return err
}

// name returns the rest of the line, without surrounding blanks.
func (f *fields) name() (string, error) {
	f.space()
	s := string(bytes.TrimSpace(f.b[f.i:]))
	if s == "" {
		return "", f.bad(f.i, "a name")
	}
	if excerpt.Printable(s) != s {
		return "", badField(f.i, "found the name %q, expected printable characters", s)
	}
	return s, nil
}

// triple reads (x,y,z), each from 1 to limit, their product below 2^31.
func (f *fields) triple(limit int64) (v [3]int, err error) {
	f.space()
	from := f.i
	bad := func() ([3]int, error) { return v, f.bad(from, "three sizes, such as (8,1,1)") }
	text := f.b[f.i:]
	text = bytes.TrimSpace(text)
	if len(text) < 2 || text[0] != '(' || text[len(text)-1] != ')' {
		return bad()
	}
	parts := bytes.Split(text[1:len(text)-1], []byte(","))
	if len(parts) != 3 {
		return bad()
	}
	product := int64(1)
	for i, p := range parts {
		g := fields{b: bytes.TrimSpace(p)}
		n, err := g.integer("a size")
		if err != nil || g.space() || n < 1 || n > limit || n*product >= 1<<31 {
			return bad()
		}
		product *= n
		v[i] = int(n)
	}
	return v, nil
}

// programVersion is the version of the encoding of a program in header lines.
const programVersion = 1

// program reads a header line with a part of the program.
func (h *Header) program(key string, f *fields) error {
	if key == "kumiko program" {
		f.space()
		from := f.i
		if n, err := f.count(1<<20, "version 1"); err != nil || n != programVersion {
			return f.bad(from, "version 1")
		}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(f.b[f.i:]))
	d.DisallowUnknownFields()
	if key == "kumiko kernel" {
		h.own = &ir.Kernel{}
		if err := d.Decode(h.own); err != nil {
			return badField(f.i+1, "found a kernel that cannot be read: %s", unread(err))
		}
		return nil
	}
	if h.own == nil {
		return badField(1, "found an instruction, expected -kumiko kernel before it")
	}
	in := ir.Inst{}
	if err := d.Decode(&in); err != nil {
		return badField(f.i+1, "found an instruction that cannot be read: %s", unread(err))
	}
	if err := sane(&in); err != nil {
		return badField(f.i+1, "found an instruction that cannot be: %v", err)
	}
	ir.SetSlots(&in)
	ir.SetProduct(&in)
	h.own.Insts = append(h.own.Insts, in)
	return nil
}
