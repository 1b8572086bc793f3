package launch

import (
	"fmt"
	"testing"

	"kumiko/kernel/ir"
)

// oneParam has a kernel k with one parameter n, declared as a type and read as types.
func oneParam(declared ir.Type, reads ...ir.Type) *ir.Module {
	k := &ir.Kernel{Name: "k", ParamBytes: 4, Params: []ir.ParamDecl{{Name: "n", Type: declared, Count: 1, Size: 4,
		Align: 4}}}
	for _, t := range reads {
		k.Insts = append(k.Insts, ir.Inst{Op: ir.OpMov, Type: t, Src: []ir.Operand{{Kind: ir.KindParam, Words: 1}}})
	}
	return &ir.Module{File: "m.ptx", Kernels: []*ir.Kernel{k}}
}

func TestAnArgumentOfAnotherTypeIsRefusedWhereTheKernelLeavesNoDoubt(t *testing.T) {
	for _, c := range []struct {
		name, arg string
		module    *ir.Module
		want      string // "": accepted
	}{
		{"a float for an integer", "{f32 = 20}", oneParam(ir.U32, ir.U32),
			"l.toml:5:10: launch.args: found a float (f32), expected an integer (u32): parameter 0 (n) of k is " +
				"declared and read as u32; b32 takes its bits"},
		{"an integer for a float", "{s32 = 20}", oneParam(ir.F32, ir.F32, ir.F32),
			"l.toml:5:10: launch.args: found an integer (s32), expected a float (f32): parameter 0 (n) of k is " +
				"declared and read as f32; b32 takes its bits"},
		{"bits for an integer", "{b32 = 20}", oneParam(ir.U32, ir.U32), ""},
		{"an integer of the other sign", "{s32 = -1}", oneParam(ir.U32, ir.U32), ""},
		{"a float for what is read as bits", "{f32 = 20}", oneParam(ir.U32, ir.U32, ir.B32), ""},
		{"a float for what is read as a float too", "{f32 = 20}", oneParam(ir.U32, ir.U32, ir.F32), ""},
		{"a float for what is not read", "{f32 = 20}", oneParam(ir.U32), ""},
		{"a float for bits", "{f32 = 20}", oneParam(ir.B32, ir.U32), ""},
	} {
		text := fmt.Sprintf("[[launch]]\nkernel = \"k\"\ngrid = [1]\nblock = [1]\nargs = [ %s ]\n", c.arg)
		_, err := Parse("l.toml", []byte(text), c.module, Limits{})
		if got := fmt.Sprint(err); c.want == "" && err != nil || c.want != "" && got != c.want {
			t.Errorf("%s: error %v\nwant %s", c.name, got, c.want)
		}
	}
}
