package sass

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Recorder writes the streams of launches as traces into a folder, and the list
// of them.
type Recorder struct {
	// Packed selects .tracez, with compressed pieces, instead of text.
	Packed bool

	dir  string
	list []string
}

// next returns the name of the trace of the next launch.
func (r *Recorder) next() string {
	ext := ".traceg"
	if r.Packed {
		ext = tracezExt
	}
	return fmt.Sprintf("kernel-%d%s", len(r.list)+1, ext)
}

// NewRecorder creates the folder and returns a Recorder for it.
func NewRecorder(dir string) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &Recorder{dir: dir}, nil
}

// Close writes the kernel list: the completely written launches.
func (r *Recorder) Close() error {
	f, err := os.CreateTemp(r.dir, "."+ListName+".*")
	if err != nil {
		return err
	}
	var text []byte
	for _, name := range r.list {
		text = append(append(text, name...), '\n')
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		os.Remove(f.Name())
		return err
	}
	return keep(f, filepath.Join(r.dir, ListName))
}

// keep renames a temporary file to its final name.
func keep(f *os.File, name string) error {
	err := f.Chmod(0o644)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Writer writes one launch.
type Writer struct {
	r    *Recorder
	k    *ir.Kernel
	grid [3]int
	file *os.File
	out  *bufio.Writer
	text [][]byte // of each instruction, behind the mask
	buf  []byte
	pack *packer // nil: text
}

// Launch begins the trace of a launch of an allocated kernel. sharedBytes is the
// shared memory of a thread block, static and dynamic.
func (r *Recorder) Launch(k *ir.Kernel, grid, block [3]int, sharedBytes int) (*Writer, error) {
	if err := recordable(k); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(r.dir, "."+r.next()+".*")
	if err != nil {
		return nil, err
	}
	w := &Writer{r: r, k: k, grid: grid, file: f, out: bufio.NewWriterSize(f, 1<<18),
		text: make([][]byte, len(k.Insts))}
	for i := range k.Insts {
		t, _ := lineOf(&k.Insts[i])
		w.text[i] = append(append([]byte{' '}, t...), ' ')
	}
	if err := w.begin(block, sharedBytes); err != nil {
		w.Abort()
		return nil, err
	}
	return w, nil
}

// recordable returns an error for a kernel that a trace cannot represent: one with an mbarrier, or with a barrier
// whose number or thread count is in a register, since a trace has these as immediates.
func recordable(k *ir.Kernel) error {
	for i := range k.Insts {
		in := &k.Insts[i]
		switch {
		case in.Op == ir.OpMbarWait, in.Mods.Atomic == ir.AtomArrive:
			return fmt.Errorf("%s:%d:%d: found an mbarrier, expected none in what is recorded", k.File, in.Line, in.Col)
		case in.T.Space == ir.Barriers:
			return fmt.Errorf("%s:%d:%d: found a barrier whose number, or number of threads, is in a register, "+
				"expected constants in what is recorded", k.File, in.Line, in.Col)
		}
	}
	return nil
}

func (w *Writer) begin(block [3]int, sharedBytes int) error {
	if !w.r.Packed {
		return w.header(w.out, block, sharedBytes)
	}
	var err error
	if w.pack, err = newPacker(w); err != nil {
		return err
	}
	if err := w.header(w.pack.out, block, sharedBytes); err != nil {
		return err
	}
	return w.pack.begin()
}

func (w *Writer) header(out io.Writer, block [3]int, sharedBytes int) error {
	p := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	p("-kernel name = %s", w.k.Name)
	p("-kernel id = %d", len(w.r.list)+1)
	p("-grid dim = %s", triple(w.grid))
	p("-block dim = %s", triple(block))
	p("-shmem = %d", sharedBytes)
	p("-nregs = %d", w.k.Footprint)
	p("-binary version = %d", binaryVersion)
	p("-cuda stream id = 0")
	p("-shmem base_addr = 0x%016x", uint64(ir.SharedWindow))
	p("-local mem base_addr = 0x%016x", uint64(ir.LocalWindow))
	p("-nvbit version = 0")
	p("-accelsim tracer version = 5")
	p("-enable lineinfo = 0")
	p("-kumiko program = %d", programVersion)
	k := *w.k
	k.Insts, k.File, k.Name, k.ConstBytes = nil, "", "", 0
	text, err := sparse(&k)
	if err != nil {
		return err
	}
	p("-kumiko kernel = %s", text)
	for i := range w.k.Insts {
		if text, err = sparse(&w.k.Insts[i]); err != nil {
			return err
		}
		p("-kumiko inst = %s", text)
	}
	p("")
	p("#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width " +
		"[adrrescompress?] [mem_addresses] immediate")
	p("")
	return nil // a failed write shows when the file is finished
}

// CTA writes a thread block.
func (w *Writer) CTA(c *stream.CTA) error {
	if w.pack != nil {
		return w.pack.cta(c)
	}
	x, y := c.Index%w.grid[0], c.Index/w.grid[0]
	w.buf = append(w.buf[:0], "\n#BEGIN_TB\n\nthread block = "...)
	w.buf = fmt.Appendf(w.buf, "%d,%d,%d\n", x, y%w.grid[1], y/w.grid[1])
	for i := range c.Warps {
		w.buf = fmt.Appendf(w.buf, "\nwarp = %d\ninsts = %d\n", i, c.Warps[i].Insts)
		var cur stream.Cursor
		cur.Start(w.k, &c.Warps[i])
		var d stream.Dyn
		for cur.Next(&d) {
			w.inst(&d)
			if len(w.buf) > 1<<16 {
				if _, err := w.out.Write(w.buf); err != nil {
					return err
				}
				w.buf = w.buf[:0]
			}
		}
	}
	w.buf = append(w.buf, "\n#END_TB\n"...)
	_, err := w.out.Write(w.buf)
	return err
}

func (w *Writer) inst(d *stream.Dyn) {
	b := appendHex(w.buf, uint64(d.PC)*instBytes, 4)
	b = append(b, ' ')
	b = appendHex(b, uint64(d.Exec), 8)
	b = append(b, w.text[d.PC]...)
	if d.Inst.T.Space != ir.SpaceNone {
		if d.Access == nil {
			b = append(b, "1 0x0 0 "...)
		} else {
			b = appendAccess(b, d.Access, d.Exec)
		}
	}
	w.buf = append(b, "0 \n"...)
}

func appendHex(b []byte, v uint64, width int) []byte {
	digits := max((bits.Len64(v)+3)/4, width)
	for i := digits - 1; i >= 0; i-- {
		b = append(b, "0123456789abcdef"[v>>(4*i)&15])
	}
	return b
}

// windowBase returns the start of a space among generic addresses.
func windowBase(s ir.Space) uint64 {
	switch s {
	case ir.Shared:
		return ir.SharedWindow
	case ir.Local:
		return ir.LocalWindow
	case ir.Const:
		return ir.ConstWindow
	case ir.Param:
		return ir.ParamWindow
	}
	return 0
}

// appendAccess writes the addresses of an access: base and stride if the lanes are contiguous and the addresses
// equidistant, and otherwise the differences from lane to lane. If some difference does not fit in 64 bits,
// possible for a prefetch, the addresses are listed.
func appendAccess(b []byte, a *stream.Access, mask uint32) []byte {
	base := windowBase(a.Space)
	first := bits.TrailingZeros32(mask)
	run := mask >> first
	start := base + a.Base + uint64(int64(first)*int64(a.Stride)) // the first lane's, where the access is regular
	if a.Regular() && run&(run+1) == 0 && !leaves(start, int64(a.Stride), mask) {
		b = append(b, "1 0x"...)
		b = appendHex(b, start, 1)
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(a.Stride), 10)
		return append(b, ' ')
	}
	var addr [32]uint64
	a.Lanes(mask, &addr)
	if far(&addr, base, mask) {
		return appendListed(b, &addr, base, mask)
	}
	last := addr[first]
	b = append(b, "2 0x"...)
	b = appendHex(b, base+last, 1)
	b = append(b, ' ')
	for m := mask & (mask - 1); m != 0; m &= m - 1 {
		v := addr[bits.TrailingZeros32(m)]
		b = strconv.AppendInt(b, int64(v-last), 10)
		b = append(b, ' ')
		last = v
	}
	return b
}

// far reports whether the difference of two consecutive lanes' addresses does not fit in a signed 64-bit number.
func far(addr *[32]uint64, base uint64, mask uint32) bool {
	last := base + addr[bits.TrailingZeros32(mask)&31]
	for m := mask & (mask - 1); m != 0; m &= m - 1 {
		v := base + addr[bits.TrailingZeros32(m)]
		if (v < last) != (int64(v-last) < 0) {
			return true
		}
		last = v
	}
	return false
}

// appendListed writes the addresses of all lanes.
func appendListed(b []byte, addr *[32]uint64, base uint64, mask uint32) []byte {
	b = append(b, "0 "...)
	for m := mask; m != 0; m &= m - 1 {
		b = append(b, "0x"...)
		b = appendHex(b, base+addr[bits.TrailingZeros32(m)], 1)
		b = append(b, ' ')
	}
	return b
}

// Close completes the trace and gives the file its name.
func (w *Writer) Close() error {
	if err := w.end(); err != nil {
		w.Abort()
		return err
	}
	name := w.r.next()
	if err := keep(w.file, filepath.Join(w.r.dir, name)); err != nil {
		return err
	}
	w.r.list = append(w.r.list, name)
	return nil
}

func (w *Writer) end() error {
	if w.pack != nil {
		if err := w.pack.end(); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

// Abort removes the written file.
func (w *Writer) Abort() {
	w.file.Close()
	os.Remove(w.file.Name())
}
