package sass

import (
	"bytes"
	"io"
	"slices"
)

// visitor receives the parts of a trace, in the order of the file.
type visitor interface {
	// block begins the CTA with the given linear index. Its first line begins at offset.
	block(index int, offset int64, line int) error
	warp(w, insts int) error
	inst(line []byte) error
	end() error
}

// walker walks over the CTAs of a trace and checks their structure.
type walker struct {
	h  *Header
	in *lines
	v  visitor

	inBlock, named bool
	warp, left     int  // the warp being read, -1: none; its remaining lines
	counted        bool // its insts line was seen
	seen           [32]bool
	offset         int64 // of #BEGIN_TB
	line           int
}

// run walks to the end of the file, or past one CTA.
func (w *walker) run(one bool) error {
	w.warp = -1
	for {
		line, err := w.in.next()
		if err == io.EOF {
			return w.close(one)
		}
		if err != nil {
			return err
		}
		if w.left > 0 && len(line) > 0 && line[0] < 'a'+6 && line[0] > ' ' && line[0] != '#' {
			w.left--
			if err := w.v.inst(line); err != nil {
				return err
			}
			continue
		}
		ended, err := w.structure(line)
		if err != nil {
			return err
		}
		if ended && one {
			return nil
		}
	}
}

// close handles the end of the file. The end of the last CTA may be missing if all its warps are complete.
func (w *walker) close(one bool) error {
	if !w.inBlock {
		return io.EOF
	}
	if last := (w.h.Threads()+31)/32 - 1; w.left > 0 || !w.counted || w.warp < 0 ||
		slices.Contains(w.seen[:last+1], false) {
		return badField(0, "found the end of the file, expected %s", w.expected())
	}
	w.inBlock = false
	if err := w.v.end(); err != nil || one {
		return err
	}
	return io.EOF
}

// expected describes the missing part.
func (w *walker) expected() string {
	switch {
	case w.left > 0:
		return itoa(w.left) + " more instructions of warp " + itoa(w.warp)
	case !w.named:
		return "thread block = x,y,z"
	case w.warp >= 0 && !w.counted:
		return "insts = a number"
	}
	return "warp = a number, or #END_TB"
}

// structure reads a line other than an instruction. It returns whether a CTA has ended.
func (w *walker) structure(raw []byte) (bool, error) {
	line := bytes.TrimSpace(raw)
	switch {
	case len(line) == 0:
		return false, nil
	case w.left > 0:
		f := fields{b: raw}
		f.space()
		return false, f.bad(f.i, w.expected())
	case bytes.Equal(line, []byte("#BEGIN_TB")):
		if w.inBlock {
			return false, badField(0, "found #BEGIN_TB, expected %s", w.expected())
		}
		w.inBlock, w.named, w.warp, w.seen = true, false, -1, [32]bool{}
		w.offset, w.line = w.in.start, w.in.n
		return false, nil
	case bytes.Equal(line, []byte("#END_TB")):
		if !w.inBlock || !w.named || w.warp >= 0 && !w.counted {
			return false, badField(0, "found #END_TB, expected %s", w.outside())
		}
		w.inBlock = false
		return true, w.v.end()
	case line[0] == '#' && !w.inBlock:
		return false, nil
	}
	return false, w.setting(raw)
}

func (w *walker) outside() string {
	if !w.inBlock {
		return "#BEGIN_TB"
	}
	return w.expected()
}

// setting reads a line "name = value" within a CTA.
func (w *walker) setting(line []byte) error {
	f := &fields{b: line}
	f.space()
	from := f.i
	if !w.inBlock {
		return f.bad(from, "#BEGIN_TB")
	}
	eq := bytes.IndexByte(line, '=')
	key := ""
	if eq >= 0 {
		key = string(bytes.TrimSpace(line[:eq]))
		f.i = eq + 1
	}
	switch key {
	case "thread block":
		if w.named {
			return badField(from, "found thread block, expected %s", w.expected())
		}
		return w.nameBlock(f)
	case "cluster id", "cluster cta", "cluster rank", "cluster dim":
		if w.named && w.warp < 0 {
			return w.cluster(key, f)
		}
	case "warp":
		if w.named && (w.warp < 0 || w.counted) {
			return w.nameWarp(f)
		}
	case "insts":
		if w.warp >= 0 && !w.counted {
			n, err := f.count(1<<40, "a number of instructions")
			if err != nil {
				return err
			}
			w.left, w.counted = n, true
			return w.v.warp(w.warp, n)
		}
	}
	return f.bad(from, w.expected())
}

// cluster notes the first CTA that is not alone in its cluster. Of the lines about clusters only the rank tells: it is
// over 0 in such a cluster.
func (w *walker) cluster(key string, f *fields) error {
	if key != "cluster rank" {
		return nil
	}
	rank, err := f.count(1<<20, "the rank of a thread block in its cluster")
	if rank > 0 && w.h.Clustered == 0 {
		w.h.Clustered = w.in.n
	}
	return err
}

func (w *walker) nameBlock(f *fields) error {
	f.space()
	from := f.i
	index, scale := 0, 1
	for i, part := range bytes.Split(bytes.TrimSpace(f.b[from:]), []byte(",")) {
		g := fields{b: part}
		if i > 2 {
			return f.bad(from, "three numbers")
		}
		n, err := g.count(int64(w.h.Grid[i])-1, "")
		if err != nil || g.space() {
			return f.bad(from, "a thread block of the grid "+triple(w.h.Grid))
		}
		index += n * scale
		scale *= w.h.Grid[i]
		w.named = i == 2
	}
	if !w.named {
		return f.bad(from, "three numbers")
	}
	return w.v.block(index, w.offset, w.line)
}

func (w *walker) nameWarp(f *fields) error {
	f.space()
	from := f.i
	last := (w.h.Threads()+31)/32 - 1
	n, err := f.count(int64(last), "a warp from 0 to "+itoa(last))
	if err != nil {
		return err
	}
	if w.seen[n] {
		return badField(from, "found warp %d a second time", n)
	}
	w.seen[n] = true
	w.warp, w.counted = n, false
	return nil
}
