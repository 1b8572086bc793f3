package ptx

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/texture"
)

// coveredForm is an instruction of forms.tsv with its operands, and its status there.
type coveredForm struct{ inst, operands, status string }

var (
	choice   = regexp.MustCompile(`\{([^{}]*)\}`)
	optional = regexp.MustCompile(`\[([^\[\]{}]*)\]`)
)

// forms returns the forms of forms.tsv, with every choice made in every way.
func forms(t *testing.T) []coveredForm {
	t.Helper()
	var out []coveredForm
	for _, f := range Forms() {
		for _, inst := range expand(f.Instruction) {
			out = append(out, coveredForm{inst, f.Operands, f.Status})
		}
	}
	if len(out) < 1000 {
		t.Fatalf("found %d forms, expected more than 1000", len(out))
	}
	return out
}

// expand makes the choices of a pattern: {a,b} is a or b, [a] is a or nothing.
func expand(pattern string) []string {
	if at := optional.FindStringSubmatchIndex(pattern); at != nil {
		before, after := pattern[:at[0]], pattern[at[1]:]
		return append(expand(before+after), expand(before+pattern[at[2]:at[3]]+after)...)
	}
	at := choice.FindStringSubmatchIndex(pattern)
	if at == nil {
		return []string{pattern}
	}
	var out []string
	for _, c := range strings.Split(pattern[at[2]:at[3]], ",") {
		out = append(out, expand(pattern[:at[0]]+c+pattern[at[1]:])...)
	}
	return out
}

// sizes of the types of an instruction, in bytes, in their order.
func (f *coveredForm) sizes() (out []int) {
	for _, part := range strings.Split(f.inst, ".")[1:] {
		if typ, ok := typeNames[part]; ok {
			out = append(out, typ.Size())
		}
	}
	return append(out, 4, 4)
}

var (
	operandLetter = regexp.MustCompile(`\b[a-zABV]\b`)
	matrixShape   = regexp.MustCompile(`m(\d+)n8k(\d+)`)
)

// matrixOf is how many registers the matrix A or B of the instruction has.
func (f *coveredForm) matrixOf(letter string) int {
	shape := matrixShape.FindStringSubmatch(f.inst)
	if letter == "V" {
		return 8
	}
	if shape == nil { // which the test has taken away
		return 1
	}
	m, _ := strconv.Atoi(shape[1])
	k, _ := strconv.Atoi(shape[2])
	size := 2
	switch {
	case strings.Contains(f.inst, "tf32"):
		size = 4
	case strings.Contains(f.inst, "s32"):
		size = 1
	}
	return map[string]int{"A": m, "B": 8}[letter] * k * size / 128
}

// text is the instruction with registers.
func (f *coveredForm) text() string {
	sizes, n := f.sizes(), 0
	register := func(size int) string {
		n++
		kind := map[int]string{1: "r", 2: "h", 4: "r", 8: "d", 16: "q"}[size]
		return fmt.Sprintf("%%%s%d", kind, n)
	}
	return f.inst + " " + operandLetter.ReplaceAllStringFunc(f.operands, func(letter string) string {
		switch letter {
		case "t":
			return register(sizes[0])
		case "s":
			return register(sizes[1])
		case "w":
			return register(2 * sizes[0])
		case "p":
			n++
			return fmt.Sprintf("%%p%d", n)
		case "A", "B", "V":
			var list []string
			for range f.matrixOf(letter) {
				list = append(list, register(4))
			}
			return "{" + strings.Join(list, ", ") + "}"
		case "g":
			return "%d0"
		case "a":
			return "%r0"
		}
		return register(map[string]int{"h": 2, "r": 4, "l": 8, "q": 16}[letter])
	}) + ";"
}

// parse reads the instruction in a kernel.
func (f *coveredForm) parse() (*ir.Module, error) {
	m, err := Parse("t.ptx", []byte(`.version 8.0
.target sm_90
.address_size 64
.global .texref image;
.func function() { ret; }
.entry k(.param .u64 buffer)
{
.reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<64>; .reg .b64 %d<10>; .reg .b128 %q<10>;
.shared .align 16 .b8 room[512];
ld.param.u64 %d0, [buffer]; mov.u32 %r0, room;
TABLE: .branchtargets LABEL;
`+f.text()+"\nLABEL: ret;\n}\n"))
	if err == nil {
		err = m.Refusal("k")
	}
	return m, err // with a module whose kernel is refused, too
}

// run compiles the kernel and executes it as parsed. The compiled kernel would be of little use here, since unread
// results are removed from it.
func (f *coveredForm) run(m *ir.Module) error {
	k := m.Kernel("k")
	if _, err := compiler.Compile(k, compiler.Options{}); err != nil {
		return err
	}
	d := &mem.Memory{}
	r := emu.Runner{Mem: d, Compile: func(*host.Launch) (*ir.Kernel, error) {
		cfg.Build(k.Insts).SetReconv(k.Insts)
		return k, nil
	}}
	dev := &host.Device{Mem: d, Runner: &r}
	addr := dev.Alloc("buffer", 8192)
	if strings.Contains(f.operands, "image") {
		t := f.texture()
		t.Addr = addr
		if err := d.BindTexture(m, "image", t); err != nil {
			return err
		}
	}
	return dev.Launch(&host.Launch{Module: m, Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
		Args: []host.Arg{host.U64(addr)}})
}

// texture returns a texture for the instruction to fetch from.
func (f *coveredForm) texture() texture.Texture {
	t := texture.Texture{Type: ir.U32, Channels: 1, Width: 4, Height: 1, Depth: 1, Layers: 1}
	if strings.HasPrefix(f.inst, "tex.") || strings.HasPrefix(f.inst, "tld4.") {
		part := strings.Split(f.inst, ".")
		t.Type = typeNames[part[len(part)-2]]
	}
	for _, part := range strings.Split(f.inst, ".") {
		switch part {
		case "2d":
			t.Height = 4
		case "3d":
			t.Height, t.Depth = 4, 4
		case "a1d":
			t.Layers = 2
		case "a2d":
			t.Height, t.Layers = 4, 2
		case "cube":
			t.Height, t.Layers = 4, 6
		}
	}
	return t
}

func TestWhatBecomesOfEveryFormIsAsTheListSays(t *testing.T) {
	for _, f := range forms(t) {
		got := "executes"
		m, err := f.parse()
		if err == nil {
			err = f.run(m)
		}
		if err != nil {
			got = "stops the launch"
			if m == nil || m.Refusal("k") != nil || strings.Contains(err.Error(), "k cannot be executed") {
				got = "refused"
			}
		}
		if panicked(err) {
			t.Errorf("%s: %v", f.text(), err)
		}
		if got != f.status {
			t.Errorf("%s %s: found %s (%v), expected %s", f.text(), f.inst, got, err, f.status)
		}
		if got == "refused" && !strings.Contains(err.Error(), "t.ptx:12:") {
			t.Errorf("%s: the refusal is %v, expected one of line 12", f.text(), err)
		}
	}
}

func TestEveryInstructionIsInTheList(t *testing.T) {
	executes, refuses := map[string]bool{}, map[string]bool{}
	for _, f := range forms(t) {
		name := strings.Split(f.inst, ".")[0]
		if f.status == "refused" {
			refuses[name] = true
			for _, part := range strings.Split(f.inst, ".")[1:] {
				refuses[name+"."+part] = true
			}
		} else {
			executes[name] = true
		}
	}
	var missing []string
	for name := range opcodes {
		if !executes[name] {
			missing = append(missing, name+", which executes")
		}
	}
	for name := range unsupported {
		if !refuses[name] {
			missing = append(missing, name+", which is refused")
		}
	}
	for name := range unsupportedForms {
		if !refuses[name] {
			missing = append(missing, name+", which is refused")
		}
	}
	slices.Sort(missing)
	for _, m := range missing {
		t.Errorf("found no form of %s", m)
	}
}
