package compiler

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// The test executes loads of constants and of parameters, as parsed and as compiled, at addresses known to the
// compiler and at an address known only at launch.
func TestALoadPastTheConstantBankIsRefusedWhetherItsAddressFoldsOrNot(t *testing.T) {
	const text = `.version 6.3
.target sm_52
.address_size 64
.const .b32 c[4] = {1, 2, 3, 4};
.entry k(.param .u64 out, .param .u64 n) {
	.reg .b32 %%r<4>; .reg .b64 %%d<8>;
	ld.param.u64 %%d1, [out]; ld.param.u64 %%d2, [n];
	mov.u64 %%d5, %s; add.u64 %%d3, %%d5, %s; mov.u32 %%r1, 7;
@L
	add.u32 %%r1, %%r1, 1; st.global.u32 [%%d1], %%r1; ret; }`
	for _, c := range []struct {
		name, base, offset, load string
		want                     string // of the error behind kernel, CTA and warp; "": 5 is stored
	}{
		{"the last word", "c", "12", "ld.const.b32 %r1, [%d3];", ""},
		{"the last word at an address that is not known", "c", "%d2", "ld.const.b32 %r1, [%d3];", ""},
		{"past the end", "c", "16", "ld.const.b32 %r1, [%d3];",
			"ld.const.b32: thread (0,0,0): address 0x10 (4 bytes) in const space, which has 16 bytes"},
		{"past the end at an address that is not known", "c", "%d2", "ld.const.b32 %r1, [%d3+4];",
			"ld.const.b32: thread (0,0,0): address 0x10 (4 bytes) in const space, which has 16 bytes"},
		{"past the end by name", "c", "16", "ld.const.b32 %r1, [c+16];",
			"ld.const.b32: thread (0,0,0): address 0x10 (4 bytes) in const space, which has 16 bytes"},
		{"past the end by an offset", "c", "16", "ld.const.b32 %r1, [%d5+16];",
			"ld.const.b32: thread (0,0,0): address 0x10 (4 bytes) in const space, which has 16 bytes"},
		{"past the parameters by an offset", "0", "16", "ld.param.b32 %r1, [%d5+16];",
			"ld.param.b32: thread (0,0,0): address 0x10 (4 bytes) in param space, which has 16 bytes"},
		{"half past the end", "c", "8", "ld.const.v2.b32 {%r1, %r2}, [%d3];", ""},
		{"a pair past the end", "c", "16", "ld.const.b64 %d4, [%d3]; cvt.u32.u64 %r1, %d4;",
			"ld.const.b64: thread (0,0,0): address 0x10 (8 bytes) in const space, which has 16 bytes"},
		{"far past the end", "c", "65528", "ld.const.b32 %r1, [%d3];",
			"ld.const.b32: thread (0,0,0): address 0xfff8 (4 bytes) in const space, which has 16 bytes"},
		{"past the parameters", "0", "16", "ld.param.b32 %r1, [%d3];",
			"ld.param.b32: thread (0,0,0): address 0x10 (4 bytes) in param space, which has 16 bytes"},
		{"the last parameter", "0", "8", "ld.param.b32 %r1, [%d3];", ""},
	} {
		m := mustParse(t, "t.ptx", []byte(strings.Replace(fmt.Sprintf(text, c.base, c.offset), "@L", c.load, 1)))
		compiled := mustCompile(t, m.Kernels[0], Options{})
		for how, k := range map[string]*ir.Kernel{"as parsed": m.Kernels[0], "as compiled": compiled} {
			var dev mem.Memory
			if err := dev.LoadModule(m); err != nil {
				t.Fatal(err)
			}
			out := dev.Alloc("out", 4)
			r := &emu.Runner{Mem: &dev, Out: io.Discard, Compile: func(*host.Launch) (*ir.Kernel,
				error) {
				return k, nil
			}}
			err := r.Launch(&host.Launch{Module: m, Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{1, 1, 1},
				Args: []host.Arg{host.U64(out), host.U64(12)}})
			if c.want != "" {
				if want := "t.ptx:9:1: kernel k, CTA (0,0,0), warp 0: " + c.want; err == nil || err.Error() != want {
					t.Errorf("%s, %s: %v, want %s", c.name, how, err, want)
				}
				continue
			}
			b, _ := dev.Bytes(out, 4)
			if err != nil || b[0] == 0 || b[0] == 1 || b[0] == 8 {
				t.Errorf("%s, %s: stored %d, error %v", c.name, how, b[0], err)
			}
		}
	}
}
