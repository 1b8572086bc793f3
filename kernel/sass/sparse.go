package sass

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"kumiko/kernel/ir"
)

// sparse returns a value as JSON without its zero fields. encoding/json reads it back as the same value.
// Instructions have some forty fields, nearly all zero.
func sparse(v any) ([]byte, error) { return json.Marshal(nonZero(reflect.ValueOf(v))) }

func nonZero(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		return nonZero(v.Elem())
	case reflect.Struct:
		m := map[string]any{}
		for i := range v.NumField() {
			if f, t := v.Field(i), v.Type().Field(i); !f.IsZero() && t.Tag.Get("json") != "-" {
				m[t.Name] = nonZero(f)
			}
		}
		return m
	case reflect.Array: // without the zeros at its end
		n := v.Len()
		for n > 0 && v.Index(n-1).IsZero() {
			n--
		}
		return nonZeros(v, n)
	case reflect.Slice:
		return nonZeros(v, v.Len())
	}
	return v.Interface()
}

// nonZeros returns the first n elements of a list as a list of numbers, even for bytes.
func nonZeros(v reflect.Value, n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = nonZero(v.Index(i))
	}
	return list
}

// unread describes why encoding/json could not read a value, in the terms of the file.
func unread(err error) string {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return err.Error() + "; expected what run --record writes"
	}
	want := "a " + kind.Type.Kind().String()
	if bits := kind.Type.Bits; kind.Type.Kind() >= reflect.Int && kind.Type.Kind() <= reflect.Uint64 {
		want = fmt.Sprintf("a whole number of %d bits", bits())
		if kind.Type.Kind() >= reflect.Uint {
			want += ", not negative"
		}
	}
	return fmt.Sprintf("%s is a %s, expected %s", kind.Field, kind.Value, want)
}

// sane returns an error for an instruction unusable by the timing model.
func sane(in *ir.Inst) error {
	if what := in.Unknown(); what != "" {
		return errors.New(what)
	}
	t := &in.T
	switch {
	case t.NSrc > ir.NumSources || t.NDst > ir.NumDests || t.NAddr > t.NSrc:
		return fmt.Errorf("%d results and %d sources, of which %d address, expected at most %d and %d", t.NDst, t.NSrc,
			t.NAddr, ir.NumDests, ir.NumSources)
	case t.Bytes > 16:
		return fmt.Errorf("%d bytes per lane, expected at most 16", t.Bytes)
	case t.BarID > 15:
		return fmt.Errorf("barrier %d, expected 0 to 15", t.BarID)
	case !in.Control.Sound():
		return errors.New("a control word with a counter or a stall that does not exist, expected counters 0 to 5 " +
			"and stalls 0 to 15")
	}
	for _, list := range [][]ir.Operand{in.Dst, in.Src, {in.Addr.Base, in.Guard}} {
		for _, o := range list {
			if o.Kind > ir.KindConst || o.Special >= ir.NumSpecial || o.Kind == ir.KindReg &&
				(o.Reg < 0 || o.Reg > 255) ||
				o.Kind == ir.KindPred && (o.Reg < 0 || o.Reg > 1<<16) {
				return fmt.Errorf("an operand of kind %d, register %d, special register %d, expected kinds 0 to %d, "+
					"registers 0 to 255 and special registers 0 to %d", o.Kind, o.Reg, o.Special, ir.KindConst,
					ir.NumSpecial-1)
			}
		}
	}
	return nil
}

// saneKernel returns an error for a program with a branch out of the program, or with more registers than declared.
// at is the index of the faulty instruction, or -1 if the program as a whole is faulty.
func saneKernel(k *ir.Kernel) (at int, err error) {
	if err := saneProgram(k); err != nil {
		return -1, err
	}
	for pc := range k.Insts {
		if err := fits(k, pc); err != nil {
			return pc, err
		}
	}
	return 0, nil
}

// saneProgram checks the properties of a program as a whole.
func saneProgram(k *ir.Kernel) error {
	n := len(k.Insts)
	if n == 0 {
		return errors.New("found a program without instructions")
	}
	for _, p := range k.Params {
		if what := p.Type.Unknown(); what != "" {
			return fmt.Errorf("found the parameter %q of %s", p.Name, what)
		}
	}
	if k.Places != nil && len(k.Places) != n {
		return fmt.Errorf("found places of %d instructions, expected %d", len(k.Places), n)
	}
	for i, p := range k.Places {
		if p >= maxPlace || i > 0 && p <= k.Places[i-1] {
			return fmt.Errorf("found instruction %d at place %d, expected ascending places below %d", i, p, maxPlace)
		}
	}
	if k.NumRegs < 0 || k.NumRegs > 256 || k.NumPreds < 0 || k.NumPreds > 1<<16 {
		return fmt.Errorf("found %d registers and %d predicates, expected at most 256 and 65536", k.NumRegs, k.NumPreds)
	}
	return nil
}

// fits returns an error for an instruction with a branch out of its program, or with a register not in the program.
func fits(k *ir.Kernel, pc int) error {
	in, n := &k.Insts[pc], len(k.Insts)
	out := in.Target < 0 || in.Target > n || in.Reconv < 0 || in.Reconv > n
	for _, t := range in.Targets {
		out = out || t < 0 || t > n
	}
	if out {
		return fmt.Errorf("found a branch at %d to outside of the program, expected 0 to %d", pc, n)
	}
	if (in.T.Space != ir.SpaceNone) != in.T.Class.Memory() {
		return fmt.Errorf("found at %d class %s with memory space %q", pc, in.T.Class, in.T.Space)
	}
	for _, list := range [][]ir.Operand{in.Dst, in.Src, {in.Addr.Base, in.Guard}} {
		for _, o := range list {
			if o.Kind == ir.KindReg && int(o.Reg)+int(max(o.Words, 1)) > k.NumRegs || o.Kind == ir.KindPred &&
				int(o.Reg) >= k.NumPreds {
				return fmt.Errorf("found operand %s at %d, expected registers below %d and predicates below %d", o,
					pc, k.NumRegs, k.NumPreds)
			}
		}
	}
	for _, list := range [][]ir.RegID{in.T.Src[:in.T.NSrc], in.T.Dst[:in.T.NDst]} {
		for _, r := range list {
			if int(r) >= k.NumRegs {
				return fmt.Errorf("found register %d at %d, expected registers below %d", r, pc, k.NumRegs)
			}
		}
	}
	return nil
}
