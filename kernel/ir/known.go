package ir

import "fmt"

// Unknown describes the first field of an instruction with a value that this package does not define, and the range
// of defined values. It returns "" if there is none. Programs from files are checked by it before any other use.
func (in *Inst) Unknown() string {
	m := &in.Mods
	for _, x := range [...]struct {
		what  string
		value uint8
		last  int
	}{
		{"operation", uint8(in.Op), int(NumOps) - 1}, {"type", uint8(in.Type), len(typeInfo) - 1},
		{"source type", uint8(in.SrcType), len(typeInfo) - 1}, {"matrix type", uint8(m.MatrixB), len(typeInfo) - 1},
		{"matrix product", uint8(m.Product), int(NumProducts) - 1},
		{"matrix product", uint8(in.T.Product), int(NumProducts) - 1},
		{"rounding", uint8(m.Round), int(RPI)}, {"comparison", uint8(m.Cmp), len(cmpNames) - 1},
		{"combination", uint8(m.Bool), len(boolNames) - 1}, {"part", uint8(m.Part), len(partNames) - 1},
		{"atomic operation", uint8(m.Atomic), len(atomNames) - 1}, {"shuffle", uint8(m.Shfl), len(shflNames) - 1},
		{"vote", uint8(m.Vote), len(voteNames) - 1}, {"barrier operation", uint8(m.Bar), int(BarRedOr)},
		{"cache operator", uint8(m.Cache), int(CacheNC)}, {"permutation", uint8(m.Prmt), int(PrmtRC16)},
		{"test", uint8(m.Test), int(TestSubnormal)}, {"texture geometry", uint8(m.Tex), len(texNames) - 1},
		{"query", uint8(m.Query), len(queryNames) - 1}, {"scope", uint8(m.Scope), int(NumScopes) - 1},
		{"flow", uint8(in.Flow), int(FlowApart)}, {"class", uint8(in.T.Class), int(NumClasses) - 1},
		{"memory space", uint8(in.Space), int(Texture)}, {"memory space", uint8(in.T.Space), int(Texture)},
	} {
		if int(x.value) > x.last {
			return fmt.Sprintf("%s %d, expected 0 to %d", x.what, x.value, x.last)
		}
	}
	return ""
}

// Unknown returns "" if this package defines the type. Otherwise it returns the type's number and the range of the
// defined numbers.
func (t Type) Unknown() string {
	if int(t) < len(typeInfo) {
		return ""
	}
	return fmt.Sprintf("type %d, expected 0 to %d", t, len(typeInfo)-1)
}
