package synthetic

import (
	"fmt"
	"strings"
)

// rowLength is the number of operations in a turn of the loop, for each group of lanes.
const rowLength = 64

// writer writes PTX.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// loaded reports whether the addend of operation j is loaded: for mem percent of the operations, evenly
// distributed.
func (d *dials) loaded(j int) bool { return (j+1)*d.mem/100 > j*d.mem/100 }

// ptx returns the kernel. Registers: %a the accumulators, %p the pool, %i idle, %r ramp, %t for loads. The kernel's
// buffers have 4 bytes per element.
//
//	pool[k*threads + thread]  the pool, then the idle registers, by thread of the CTA
//	data                      the data for the loads: span bytes and a row more
//	out[thread of the grid]   the sum of everything
func (d *dials) ptx() []byte {
	var w writer
	w.line(".version 6.3\n.target sm_52\n.address_size 64")
	w.line(".visible .entry %s(.param .u64 pool, .param .u64 data, .param .u64 out, .param .u32 turns)\n{", kernel)
	w.line(".reg .pred %%q<3>;\n.reg .b32 %%n<12>;\n.reg .b64 %%d<9>;")
	w.line(".reg .f32 %%a<%d>, %%p<%d>, %%i<%d>, %%r<%d>, %%t<%d>, %%f<3>;", d.dep, d.reuse, d.idle+1, d.ramp+1,
		rowLength)
	d.begin(&w)
	w.line("TURN:")
	for k := range d.ramp {
		w.line("fma.rn.f32 %%r%d, %%p%d, %%p%d, %%f0;", k, k%d.reuse, (k+d.stride)%d.reuse)
	}
	d.rows(&w)
	for k := range d.ramp {
		w.line("add.f32 %%a%d, %%a%d, %%r%d;", k%d.dep, k%d.dep, k)
	}
	w.line("add.f32 %%f0, %%f0, 0f3F800000;\nadd.s32 %%n6, %%n6, %d;\nand.b32 %%n6, %%n6, %%n7;", turnBytes)
	w.line("cvt.u64.u32 %%d4, %%n6;\nadd.u64 %%d5, %%d3, %%d4;")
	w.line("add.s32 %%n5, %%n5, -1;\nsetp.ne.s32 %%q0, %%n5, 0;\n@%%q0 bra TURN;")
	d.end(&w)
	w.line("ret;\n}")
	return []byte(w.String())
}

// turnBytes is the distance in bytes between the loads of successive turns.
const turnBytes = 128 * rowLength

// begin computes addresses and fills the registers.
func (d *dials) begin(w *writer) {
	w.line("mov.u32 %%n0, %%tid.x;\nmov.u32 %%n1, %%ctaid.x;\nmad.lo.s32 %%n2, %%n1, %d, %%n0;", d.block)
	w.line("ld.param.u64 %%d0, [pool];\nld.param.u64 %%d3, [data];\nld.param.u32 %%n5, [turns];")
	w.line("mul.wide.u32 %%d1, %%n0, 4;\nadd.u64 %%d2, %%d0, %%d1;")
	for k := range d.reuse {
		w.line("ld.global.f32 %%p%d, [%%d2+%d];", k, 4*d.block*k)
	}
	for k := range d.idle {
		w.line("ld.global.f32 %%i%d, [%%d2+%d];", k, 4*d.block*(d.reuse+k))
	}
	for k := range d.dep {
		w.line("mov.f32 %%a%d, 0f00000000;", k)
	}
	w.line("mov.f32 %%f0, 0f00000000;\nmov.u32 %%n7, %d;\nshl.b32 %%n6, %%n2, 2;\nand.b32 %%n6, %%n6, %%n7;", d.span-1)
	w.line("cvt.u64.u32 %%d4, %%n6;\nadd.u64 %%d5, %%d3, %%d4;\nand.b32 %%n8, %%n0, %d;", d.div-1)
}

// rows writes the operations once for each group of lanes.
func (d *dials) rows(w *writer) {
	for g := range d.div {
		if d.div > 1 {
			w.line("setp.ne.s32 %%q1, %%n8, %d;\n@%%q1 bra SKIP%d;", g, g)
		}
		for j := range rowLength {
			acc, x := j%d.dep, (j+g)%d.reuse
			if d.loaded(j) {
				w.line("ld.global.f32 %%t%d, [%%d5+%d];", j, 128*j)
				w.line("fma.rn.f32 %%a%d, %%a%d, %%p%d, %%t%d;", acc, acc, x, j)
				continue
			}
			w.line("fma.rn.f32 %%a%d, %%a%d, %%p%d, %%p%d;", acc, acc, x, (j+g+d.stride)%d.reuse)
		}
		if d.div > 1 {
			w.line("SKIP%d:", g)
		}
	}
}

// end sums all registers.
func (d *dials) end(w *writer) {
	for k := 1; k < d.dep; k++ {
		w.line("add.f32 %%a0, %%a0, %%a%d;", k)
	}
	for k := range d.idle {
		w.line("add.f32 %%a0, %%a0, %%i%d;", k)
	}
	w.line("ld.param.u64 %%d6, [out];\nmul.wide.u32 %%d7, %%n2, 4;\nadd.u64 %%d8, %%d6, %%d7;\nst.global.f32 [%%d8], " +
		"%%a0;")
}
