package emu

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// vectorForm is a load or a store of a vector: .global.v4.u8 in registers of 16, 32 or 64 bits.
type vectorForm struct {
	space     string
	length    int
	typ       string
	registers int
}

func (f *vectorForm) bits() int {
	var n int
	_, _ = fmt.Sscanf(strings.TrimLeft(f.typ, "usbf"), "%d", &n)
	return n
}

func (f *vectorForm) bytes() int { return f.length * f.bits() / 8 }

// legal reports whether the PTX ISA permits the length: 16 bytes, and 32 of global memory in elements of 32 or 64
// bits.
func (f *vectorForm) legal() bool {
	if f.length == 8 {
		return f.bits() == 32 && f.space == "global"
	}
	return f.bytes() <= 16 || f.bytes() == 32 && f.bits() == 64 && f.space == "global"
}

func vectorForms() (all []vectorForm) {
	for _, space := range []string{"global", "shared", "local", "const", "param", ""} {
		for _, length := range []int{2, 4, 8} {
			for _, typ := range []string{"u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "f32", "u64",
				"s64", "b64", "f64"} {
				for _, registers := range []int{16, 32, 64} {
					f := vectorForm{space, length, typ, registers}
					float := typ[0] == 'f'
					if registers >= f.bits() && !(float && registers > f.bits()) {
						all = append(all, f)
					}
				}
			}
		}
	}
	return all
}

// list is the registers from number first on.
func (f *vectorForm) list(first int) string {
	name := map[int]string{16: "%h", 32: "%r", 64: "%q"}[f.registers]
	if f.typ[0] == 'f' {
		name = map[int]string{32: "%f", 64: "%g"}[f.registers]
	}
	var s []string
	for i := range f.length {
		s = append(s, fmt.Sprintf("%s%d", name, first+i))
	}
	return strings.Join(s, ", ")
}

func (f *vectorForm) register(i int) string { return strings.Split(f.list(0), ", ")[i] }

// dotted is the space as a modifier, or nothing.
func (f *vectorForm) dotted() string {
	if f.space == "" {
		return ""
	}
	return "." + f.space
}

// memory declares the memory of a space with the bytes 1 to 32, and returns its address.
func (f *vectorForm) memory() (module, param, body, address string) {
	fill := `mov.b32 %r20, 0x04030201; mov.b32 %r21, 0x01010101; mov.b32 %r22, 0; ld.param.u64 %a, [in];
FILL: ` + "st." + f.space + `.u32 [%at], %r20; mad.lo.u32 %r20, %r21, 4, %r20; add.u32 %at, %at, 4;
add.u32 %r22, %r22, 1; setp.lt.u32 %p, %r22, 8; @%p bra FILL; sub.u32 %at, %at, 32;
`
	switch f.space {
	case "const":
		var list []string
		for i := range 32 {
			list = append(list, fmt.Sprint(i+1))
		}
		return ".const .align 32 .b8 c[32] = {" + strings.Join(list, ",") + "};", "", "", "c"
	case "param":
		return "", ", .param .align 32 .b8 p[32]", "", "p"
	case "shared", "local":
		return "", "", "." + f.space + " .align 32 .b8 m[32]; mov.u32 %at, m;\n" + fill, "%at"
	}
	return "", "", "ld.param.u64 %a, [in];\n", "%a"
}

// text returns a kernel that loads a vector and stores its elements one by one, or the reverse through the memory
// of the space.
func (f *vectorForm) text(store bool) string {
	module, param, body, address := f.memory()
	n := f.bits() / 8
	if !store {
		body += fmt.Sprintf("ld%s.v%d.%s {%s}, [%s];\n", f.dotted(), f.length, f.typ, f.list(0), address)
		for i := range f.length {
			body += fmt.Sprintf("st.global.%s [%%o+%d], %s;\n", f.typ, n*i, f.register(i))
		}
	} else {
		body += "ld.param.u64 %a, [in];\n"
		to := address
		if f.space == "global" || f.space == "" {
			to = "%o"
		}
		for i := range f.length {
			body += fmt.Sprintf("ld.global.%s %s, [%%a+%d];\n", f.typ, f.register(i), n*i)
		}
		body += fmt.Sprintf("st%s.v%d.%s [%s], {%s};\n", f.dotted(), f.length, f.typ, to, f.list(0))
		for i := range f.length {
			if to != "%o" {
				body += fmt.Sprintf("ld%s.%s %s, [%s+%d]; st.global.%[2]s [%%o+%[5]d], %[3]s;\n", f.dotted(), f.typ,
					f.register(i), to, n*i)
			}
		}
	}
	return ".version 8.8\n.target sm_100\n.address_size 64\n" + module + "\n.entry k(.param .u64 in, .param .u64 out" +
		param + ") {\n.reg .b16 %h<8>; .reg .b32 %r<24>; .reg .b64 %q<8>; .reg .f32 %f<8>; .reg .f64 %g<8>;\n" +
		".reg .b64 %a, %o; .reg .b32 %at; .reg .pred %p; ld.param.u64 %o, [out];\n" + body + "ret; }\n"
}

// run executes the kernel as parsed and as compiled, and compares the written memory.
func (f *vectorForm) run(t *testing.T, m *ir.Module, store bool) {
	cfg.Build(m.Kernels[0].Insts).SetReconv(m.Kernels[0].Insts)
	compiled, err := compiler.Compile(m.Kernels[0], compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []*ir.Kernel{m.Kernels[0], compiled} {
		var dev mem.Memory
		if err := dev.LoadModule(m); err != nil {
			t.Fatal(err)
		}
		in, out := dev.Alloc("in", 32), dev.Alloc("out", 32)
		data, _ := dev.Bytes(in, 32)
		for i := range data {
			data[i] = byte(i + 1)
		}
		l := textLaunch(m, 1, 1, in, out)
		if f.space == "param" {
			l.Args = append(l.Args, host.Arg{Bytes: data})
		}
		r := Runner{Mem: &dev, Out: io.Discard, Compile: func(*host.Launch) (*ir.Kernel, error) { return k, nil }}
		if err := r.Launch(l); err != nil {
			t.Fatalf("store %v, allocated %v: %v\n%s", store, k.Allocated, err, f.text(store))
		}
		got, _ := dev.Bytes(out, 32)
		if n := f.bytes(); !bytes.Equal(got[:n], data[:n]) {
			t.Fatalf("store %v, allocated %v: found the bytes %v\n%s", store, k.Allocated, got[:n], f.text(store))
		}
	}
}

func TestVectorsOfEveryLengthTypeAndSpaceAreLoadedAndStoredOrRefused(t *testing.T) {
	ran, refused := 0, 0
	for _, f := range vectorForms() {
		for _, store := range []bool{false, true} {
			if store && (f.space == "const" || f.space == "param") {
				continue
			}
			m, err := ptx.Parse("v.ptx", []byte(f.text(store)))
			switch {
			case f.legal() && err != nil:
				t.Fatalf("%v\n%s", err, f.text(store))
			case !f.legal() && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s.v%d.%s, expected .v2",
				f.dotted(), f.length, f.typ))):
				t.Fatalf("found %v, expected a refusal\n%s", err, f.text(store))
			case err != nil:
				refused++
			default:
				f.run(t, m, store)
				ran++
			}
		}
	}
	if ran < 400 || refused < 100 {
		t.Errorf("%d forms ran and %d were refused", ran, refused)
	}
}
