package suite

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"kumiko/kernel/host"
)

// codePTX returns a kernel with several passes through n FADDs, and a clock read after each pass. They add a constant,
// so that no choice of registers makes them wait for a bank. The measured ones added a register, and ptxas had chosen
// registers that do not wait either.
func codePTX(n int) string {
	var b strings.Builder
	b.WriteString(`.version 7.8
.target sm_90
.address_size 64
.visible .entry code(.param .u64 out, .param .u32 passes)
{
	.reg .pred %p<2>;
	.reg .f32 %f<8>;
	.reg .b32 %t, %i, %n, %c, %w;
	.reg .b64 %o, %d;
	ld.param.u64 %o, [out];
	ld.param.u32 %n, [passes];
	mov.u32 %t, %tid.x;
`)
	for i := range 8 {
		fmt.Fprintf(&b, "\tcvt.rn.f32.u32 %%f%d, %%t;\n", i)
	}
	b.WriteString(`	mov.u32 %i, 0;
	mul.wide.u32 %d, %t, 64;
	add.u64 %d, %o, %d;
	mov.u32 %c, %clock;
	st.global.u32 [%d], %c;
LOOP:
	.pragma "nounroll";
`)
	for i := range n {
		fmt.Fprintf(&b, "\tadd.rn.f32 %%f%d, %%f%d, 0f3F800000;\n", i%8, i%8)
	}
	b.WriteString(`	mov.u32 %c, %clock;
	add.u64 %d, %d, 4;
	st.global.u32 [%d], %c;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p0, %i, %n;
	@%p0 bra LOOP;
`)
	for i := range 7 {
		fmt.Fprintf(&b, "\tadd.f32 %%f0, %%f0, %%f%d;\n", i+1)
	}
	b.WriteString("\tst.global.f32 [%d+4], %f0;\n\tret;\n}\n")
	return b.String()
}

// Code is a pass of one warp through straight-line code.
type Code struct {
	Name         string
	Instructions int
	Pass         int // 1 is the first one of a launch
}

// Codes are the measured passes. The L2 is empty before each launch.
var Codes = []Code{
	{"code_16K", 1024, 4}, {"code_64K", 4096, 4}, {"code_256K", 16384, 4},
	{"code_16K_first", 1024, 1}, {"code_64K_first", 4096, 1}, {"code_256K_first", 16384, 1},
}

// simulate returns the cycles per instruction of one pass: the difference between launches with and without the
// pass.
func (c *Code) simulate(gpu string) (float64, error) {
	var cycles [2]float64
	for i := range cycles {
		passes := c.Pass - 1 + i
		if passes == 0 {
			continue
		}
		m, module, err := assemble(gpu, "code.ptx", codePTX(c.Instructions))
		if err != nil {
			return 0, err
		}
		buf := m.Memory().Alloc("out", 1<<16)
		if err := m.Launch(&host.Launch{Module: module, Kernel: "code", Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
			Args: []host.Arg{host.U64(buf), host.U32(uint32(passes))}}); err != nil {
			return 0, err
		}
		cycles[i] = float64(m.Results()[0].Cycles)
	}
	return (cycles[1] - cycles[0]) / float64(c.Instructions), nil
}

// memoryRow is a row of memory.csv.
type memoryRow struct {
	class, kind, name, unit, script string
	simulate                        func(gpu string) (float64, error)
}

// memoryRows are the rows of memory.csv.
func memoryRows() (out []memoryRow) {
	for _, c := range Chases {
		out = append(out, memoryRow{"walks", "chase", c.Name, "cycles of a load",
			fmt.Sprint(c.Elements, " ", c.Apart, " ", c.Warm, " ", c.Steps), c.simulate})
	}
	for _, s := range Streams {
		warm := 0
		if s.Warm {
			warm = 1
		}
		out = append(out, memoryRow{"streams", "stream", s.Name, "cycles",
			fmt.Sprint(s.Op, " ", s.CTAs, " ", s.Bytes, " ", s.Reps, " ", warm), s.simulate})
	}
	for _, c := range Codes {
		out = append(out, memoryRow{"code", "code", c.Name, "cycles of an instruction",
			fmt.Sprint(c.Instructions, " ", c.Pass), c.simulate})
	}
	for _, w := range Waits {
		out = append(out, memoryRow{"waits", "wait", w.Name(), "cycles",
			fmt.Sprint(w.Loads, " ", w.Lines, " ", w.Warps, " ", w.own(), " ", w.step()), w.simulate})
	}
	return out
}

// Memory simulates the walks, the streams, the passes over code and the waiting loads measured on a chip. only selects
// the rows by name.
func Memory(dir fs.FS, gpu string, only func(row string) bool) ([]Outcome, error) {
	t, err := read(dir, MemoryFile)
	if err != nil {
		return nil, err
	}
	_, empty, err := readLaunches(dir)
	if err != nil {
		return nil, err
	}
	rows := memoryRows()
	var out []Outcome
	for i, f := range t.rows {
		n := slices.IndexFunc(rows, func(r memoryRow) bool { return r.kind == f[0] && r.name == f[1] })
		if n < 0 {
			return nil, t.bad(i, 1, "a row of this suite")
		}
		o := Outcome{Class: rows[n].class, Name: f[1], Unit: rows[n].unit}
		if o.Measured, err = t.number(i, 2); err != nil {
			return nil, err
		}
		if !only(f[1]) {
			continue
		}
		if o.Simulated, err = rows[n].simulate(gpu); err != nil {
			return nil, err
		}
		if o.Class == "streams" {
			o.Simulated += empty
		}
		out = append(out, o)
	}
	return out, nil
}
