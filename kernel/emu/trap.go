package emu

import (
	"fmt"

	"kumiko/internal/excerpt"
	"kumiko/kernel/ir"
)

// decodeTrap decodes trap, PTX ISA section 9.7.19.4, and the end of a failed assertion.
func decodeTrap(p *decoder) {
	var rows [4]int32
	var words [4]int
	n := len(p.in.Src)
	if n != 0 && n != len(rows) {
		p.fail("%d sources of a trap", n)
		return
	}
	for i := range n {
		words[i] = 1
		if i != 2 {
			words[i] = addressWords(p.src(i))
		}
		rows[i] = p.source(p.src(i), ir.U64, words[i])
	}
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
		w.pc = in.pc + 1
		if exec == 0 {
			return running
		}
		l := lowest(exec)
		what := "trap"
		if n > 0 {
			var v [4]uint64
			for i, r := range rows {
				v[i] = w.address(r, l, words[i] == 2)
			}
			what = w.assertion(l, v)
		}
		w.fail("thread %s: %s", w.thread(l), what)
		return failed
	}
}

// assertion describes a failed assertion in a lane, given the addresses of its text, file and function, and its
// line.
func (w *warp) assertion(l int, v [4]uint64) string {
	s := "assertion failed"
	if file := w.quoted(l, v[1]); file != "" {
		s = fmt.Sprintf("%s:%d: %s", file, uint32(v[2]), s)
	}
	if text := w.quoted(l, v[0]); text != "" {
		s += ": " + text
	}
	if function := w.quoted(l, v[3]); function != "" {
		s += " (in " + function + ")"
	}
	return s
}

// quoted returns the string at a generic address, or "" if there is none.
func (w *warp) quoted(l int, addr uint64) string {
	s, err := w.text(l, addr)
	if err != nil {
		return ""
	}
	return excerpt.Printable(s)
}
