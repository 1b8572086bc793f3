package launch

import "kumiko/kernel/ir"

// untyped reports whether a type is a B type, bits without a numeric meaning.
func untyped(t ir.Type) bool { return t >= ir.B8 && t <= ir.B128 }

// nounOf returns a type with its article.
func nounOf(t ir.Type) string {
	if t.Float() {
		return "a float (" + t.String() + ")"
	}
	return "an integer (" + t.String() + ")"
}

// readAs reports whether a kernel declares a parameter, and reads it everywhere, as a float (float) or as an
// integer (not float). Code reading it as bits is compatible with both.
func readAs(k *ir.Kernel, p *ir.ParamDecl, float bool) bool {
	if p.Array || untyped(p.Type) || p.Type.Float() != float {
		return false
	}
	read := false
	for i := range k.Insts {
		in := &k.Insts[i]
		for _, o := range in.Src {
			if o.Kind != ir.KindParam || o.Imm < uint64(p.Offset) || o.Imm >= uint64(p.Offset+p.Size) {
				continue
			}
			t := in.Type
			if in.SrcType != ir.TypeNone {
				t = in.SrcType
			}
			if untyped(t) || t.Float() != float {
				return false
			}
			read = true
		}
	}
	return read
}
