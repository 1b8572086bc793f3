package ptx

import (
	stderrors "errors"
	"slices"
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

// Each form of the page without one of its modifiers, and without one of its operands, is read
// or refused: nothing panics.
func TestFormsThatLackAModifierOrAnOperandAreReadOrRefused(t *testing.T) {
	tried := 0
	try := func(f coveredForm) {
		tried++
		if _, err := f.parse(); panicked(err) {
			t.Errorf("%s %s: %v", f.inst, f.operands, err)
		}
	}
	for _, f := range forms(t) {
		parts := strings.Split(f.inst, ".")
		for i := 1; i < len(parts); i++ {
			try(coveredForm{strings.Join(slices.Delete(slices.Clone(parts), i, i+1), "."), f.operands, ""})
		}
		operands := strings.Split(f.operands, ",")
		for i := range operands {
			try(coveredForm{f.inst, strings.Join(slices.Delete(slices.Clone(operands), i, i+1), ","), ""})
		}
	}
	if tried < 5000 {
		t.Errorf("%d tried, want at least 5000", tried)
	}
}

// panicked reports whether a text made the front end panic.
func panicked(err error) bool {
	var internal *ir.InternalError
	return stderrors.As(err, &internal)
}

func TestAPanicOfABuilderIsAnInternalErrorWithThePlace(t *testing.T) {
	rows := opcodes["nanosleep"]
	defer func() { opcodes["nanosleep"] = rows }()
	opcodes["nanosleep"] = []row{{op: ir.OpNop, types: types(ir.U32), build: func(d *decoder) { panic(d.in.op) }}}
	_, err := Parse("t.ptx", []byte(".version 7.0\n.target sm_70\n.address_size 64\n.entry k() {\n"+
		" nanosleep.u32 1;\n}"))
	var internal *ir.InternalError
	if !stderrors.As(err, &internal) || err.Error() != "internal error: t.ptx:5:2: kernel k: nanosleep" {
		t.Errorf("found %v, expected an InternalError", err)
	}
}
