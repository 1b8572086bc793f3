package published

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/kernel/host"
)

// kernel is the kernel of a row.
type kernel struct {
	ptx      string
	threads  int // of a CTA
	ctas     int // whose time is counted
	elements int // that a CTA reads or writes of each array
	bytes    int // of an element
	arrays   int // read or written in full
	work     int // operations of a thread that are counted; 0: bytes of the arrays are
	writes   bool
	sums     bool // an array with a sum of each thread is written besides
	seed     *host.Arg
}

// CTAs whose time is counted: those that are on an SM at once, of each SM, or twice as many, except that wide vectors
// would need too much memory, and that a CTA of doubles takes as long as eight, and one of integers as three.
const (
	residentCTAs = 8
	streamCTAs   = 16
	integerCTAs  = 4
	doubleCTAs   = 2
	mostBytes    = 2 << 20
)

// entry is the name of every kernel.
const entry = "measured"

// text writes the PTX of a kernel.
type text struct{ strings.Builder }

func (t *text) add(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// begin writes the head of a kernel with pointers and, if there is one, a number as its parameters. Of each pointer
// %pI is the value.
// thread's place in the grid.
func (t *text) begin(pointers int, number string) {
	t.add(".version 4.1\n.target sm_52\n.address_size 64")
	var params []string
	for i := range pointers {
		params = append(params, fmt.Sprintf(".param .u64 p%d", i))
	}
	if number != "" {
		params = append(params, ".param ."+number+" seed")
	}
	t.add(".visible .entry %s(%s)\n{", entry, strings.Join(params, ", "))
	t.add(".reg .b64 %%p<4>, %%a<8>;\n.reg .pred %%q<2>;")
	t.add(".reg .b32 %%thread, %%block, %%n, %%place, %%i, %%k, %%step;")
	for i := range pointers {
		t.add("ld.param.u64 %%p%d, [p%d];\ncvta.to.global.u64 %%p%d, %%p%d;", i, i, i, i)
	}
	t.add("mov.u32 %%thread, %%tid.x;\nmov.u32 %%block, %%ctaid.x;\nmov.u32 %%n, %%ntid.x;")
	t.add("mad.lo.s32 %%place, %%block, %%n, %%thread;")
}

func (t *text) end() string {
	t.add("ret;\n}")
	return t.String()
}

// address makes %aTO the address of element index, of so many bytes, behind a pointer.
func (t *text) address(to, pointer int, index string, bytes int) {
	t.add("mul.wide.s32 %%a%d, %s, %d;\nadd.s64 %%a%d, %%p%d, %%a%d;", to, index, bytes, to, pointer, to)
}

// stream returns a kernel of GPU-STREAM: what it writes from what it reads, by element.
func stream(name string) kernel {
	body := map[string]struct {
		reads int
		text  string
	}{
		"copy":  {1, "mov.f64 %z, %x0;"},
		"mul":   {1, "mul.f64 %z, %x0, 0d4008000000000000;"},
		"add":   {2, "add.f64 %z, %x0, %x1;"},
		"triad": {2, "fma.rn.f64 %z, %x1, 0d4008000000000000, %x0;"},
	}[name]
	var t text
	t.begin(body.reads+1, "")
	t.add(".reg .f64 %%x<2>, %%z;")
	for i := range body.reads {
		t.address(i, i, "%place", 8)
		t.add("ld.global.f64 %%x%d, [%%a%d];", i, i)
	}
	t.address(2, body.reads, "%place", 8)
	t.add("%s\nst.global.f64 [%%a2], %%z;", body.text)
	return kernel{ptx: t.end(), threads: 1024, ctas: slice * streamCTAs, elements: 1024, bytes: 8,
		arrays: body.reads + 1, writes: true}
}

// fetches is the number of loads of a thread of clpeak.
const fetches = 16

// read returns a kernel that adds up vectors of floats.
func read(width int, grid bool) kernel {
	var t text
	t.begin(2, "")
	t.add(".reg .f32 %%x<%d>, %%s<%d>;", width, width)
	if grid {
		t.add("mov.u32 %%k, %%nctaid.x;\nmul.lo.s32 %%step, %%k, %%n;\nmov.u32 %%i, %%place;")
	} else {
		t.add("mov.u32 %%step, %%n;\nmul.lo.s32 %%k, %%block, %%n;\nshl.b32 %%k, %%k, 4;\nadd.s32 %%i, %%k, %%thread;")
	}
	for i := range width {
		t.add("mov.f32 %%s%d, 0f00000000;", i)
	}
	for range fetches {
		t.address(0, 0, "%i", 4*width)
		for i := 0; i < width; i += 4 {
			switch width {
			case 1:
				t.add("ld.global.f32 %%x0, [%%a0];")
			case 2:
				t.add("ld.global.v2.f32 {%%x0, %%x1}, [%%a0];")
			default:
				t.add("ld.global.v4.f32 {%%x%d, %%x%d, %%x%d, %%x%d}, [%%a0+%d];", i, i+1, i+2, i+3, 4*i)
			}
		}
		for i := range width {
			t.add("add.f32 %%s%d, %%s%d, %%x%d;", i, i, i)
		}
		t.add("add.s32 %%i, %%i, %%step;")
	}
	t.sum("f32", "s", width, 1)
	k := kernel{ptx: t.end(), threads: 256, elements: 256 * fetches, bytes: 4 * width, arrays: 1, sums: true}
	k.ctas = min(slice*2*residentCTAs, mostBytes/(k.elements*k.bytes))
	return k
}

// sum stores the sum of registers behind a pointer, at the thread's place.
func (t *text) sum(number, register string, width, pointer int) {
	for i := 1; i < width; i++ {
		t.add("add.%s %%%s0, %%%s0, %%%s%d;", number, register, register, register, i)
	}
	t.address(1, pointer, "%place", size(number))
	t.add("st.global.%s [%%a1], %%%s0;", number, register)
}

// multiplyAdds is the number of those of a thread of clpeak.
const multiplyAdds = 2048

// arithmetic returns a kernel of clpeak with so many chains of multiply-adds: in turn x = y x + y and y = x y + x.
func arithmetic(number string, width int) kernel {
	convert, op := "cvt.rn."+number+".s32", "fma.rn."+number
	if number == "s32" {
		convert, op = "mov.b32", "mad.lo.s32"
	}
	var t text
	t.begin(1, number)
	t.add(".reg .%s %%x<%d>, %%y<%d>, %%w;", number, width, width)
	t.add("ld.param.%s %%x0, [seed];\n%s %%y0, %%thread;", number, convert)
	one := map[string]string{"s32": "1", "f32": "0f3F800000", "f64": "0d3FF0000000000000"}[number]
	for i := 1; i < width; i++ {
		t.add("add.%s %%x%d, %%x%d, %s;\nmov.%s %%y%d, %%y0;", number, i, i-1, one,
			strings.Replace(number, "s", "b", 1), i)
	}
	for k := range multiplyAdds / width {
		a, b := "x", "y"
		if k%2 == 1 {
			a, b = "y", "x"
		}
		for i := range width {
			t.add("%s %%%s%d, %%%s%d, %%%s%d, %%%s%d;", op, a, i, b, i, a, i, b, i)
		}
	}
	t.sum(number, "y", width, 0)
	k := kernel{ptx: t.end(), threads: 256, ctas: residentCTAs, work: 2 * multiplyAdds, bytes: size(number), sums: true,
		seed: seed(number)}
	switch number {
	case "s32":
		k.ctas = integerCTAs
	case "f64":
		k.ctas = doubleCTAs
	}
	if width == 1 && number != "f64" {
		k.ctas *= 2 // whose warps drift apart more slowly
	}
	return k
}

// Elements that a thread of mixbench loads at once, and how often it does.
const (
	granularity = 8
	passes      = 4
)

// mix returns a kernel of mixbench with n multiply-adds for each element.
func mix(number string, n int) kernel {
	bytes, op, one := size(number), "fma.rn."+number, "0fBF800000"
	switch number {
	case "s32":
		op, one = "mad.lo.s32", "-1"
	case "f64":
		one = "0dBFF0000000000000"
	}
	const threads = 256
	var t text
	t.begin(1, number)
	t.add(".reg .%s %%x<%d>, %%seed, %%s;\nld.param.%s %%seed, [seed];", number, granularity, number)
	t.add("mul.lo.s32 %%i, %%block, %d;\nadd.s32 %%i, %%i, %%thread;", threads*granularity)
	t.add("mov.u32 %%step, %%nctaid.x;\nmul.lo.s32 %%step, %%step, %d;\nmov.u32 %%k, 0;\nPASS:", threads*granularity)
	t.address(0, 0, "%i", bytes)
	for j := range granularity {
		t.add("ld.global.%s %%x%d, [%%a0+%d];", number, j, j*threads*bytes)
		for range n {
			t.add("%s %%x%d, %%x%d, %%x%d, %%seed;", op, j, j, j)
		}
	}
	mul := "mul." + number
	if number == "s32" {
		mul = "mul.lo.s32"
	}
	t.add("%s %%s, %%x0, %%x1;", mul)
	for j := 2; j < granularity; j += 2 {
		t.add("%s %%s, %%x%d, %%x%d, %%s;", op, j, j+1)
	}
	t.add("setp.ne.%s %%q0, %%s, %s;\n@%%q0 bra NEXT;", number, one)
	for j := range granularity {
		t.add("st.global.%s [%%a0+%d], %%s;", number, j*bytes)
	}
	t.add("NEXT:\nadd.s32 %%i, %%i, %%step;\nadd.s32 %%k, %%k, 1;\nsetp.lt.s32 %%q1, %%k, %d;", passes)
	t.add("@%%q1 bra PASS;")
	return kernel{ptx: t.end(), threads: threads, ctas: slice * residentCTAs,
		elements: threads * granularity * passes, bytes: bytes, arrays: 1, seed: seed(number)}
}

// size returns the bytes of a number.
func size(number string) int {
	if number == "f64" {
		return 8
	}
	return 4
}

// seed returns the parameter of a kernel that computes.
func seed(number string) *host.Arg {
	a := map[string]host.Arg{"f32": host.F32(1.3), "f64": host.F64(1.3), "s32": host.S32(4)}[number]
	return &a
}

// kernels returns the kernels of a row: one, or those of which the quickest counts.
func kernels(r *Row) ([]kernel, error) {
	kind, what, _ := strings.Cut(r.Name, " ")
	if r.Suite == "stream" {
		return []kernel{stream(kind)}, nil
	}
	number := map[string]string{"single": "f32", "double": "f64", "integer": "s32"}[kind]
	if r.Suite == "mixbench" {
		n, err := strconv.Atoi(what)
		return []kernel{mix(number, n)}, err
	}
	width := 1
	if digits := strings.TrimLeft(what, "abcdefghijklmnopqrstuvwxyz"); digits != "" {
		var err error
		if width, err = strconv.Atoi(digits); err != nil {
			return nil, err
		}
	}
	if kind == "read" {
		return []kernel{read(width, false), read(width, true)}, nil
	}
	return []kernel{arithmetic(number, width)}, nil
}
