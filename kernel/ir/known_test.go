package ir

import (
	"reflect"
	"testing"
)

// enumerations returns the fields of an instruction with values numbered by this package.
func enumerations(v reflect.Value) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for _, s := range []struct {
		name string
		of   reflect.Value
	}{{"", v}, {"Mods.", v.FieldByName("Mods")}, {"T.", v.FieldByName("T")}} {
		for i := range s.of.NumField() {
			t := s.of.Type().Field(i)
			if t.Type.Kind() == reflect.Uint8 && t.Type.PkgPath() != "" && t.Type != reflect.TypeFor[RegID]() {
				out[s.name+t.Name] = s.of.Field(i)
			}
		}
	}
	return out
}

func TestEveryValueThatIsNotDefinedIsUnknown(t *testing.T) {
	var in Inst
	fields := enumerations(reflect.ValueOf(&in).Elem())
	if len(fields) < 20 {
		t.Fatalf("%d enumerations: %v", len(fields), fields)
	}
	for name, f := range fields {
		f.SetUint(255)
		if in.Unknown() == "" {
			t.Errorf("%s 255 is not found", name)
		}
		f.SetUint(0)
	}
	if got := in.Unknown(); got != "" {
		t.Errorf("of nothing it is said: %s", got)
	}
}

func TestAnInstructionWithKnownValuesPrints(t *testing.T) {
	for op := range NumOps {
		in := Inst{Op: op}
		for _, f := range enumerations(reflect.ValueOf(&in).Elem()) {
			was := f.Uint()
			for v := range uint64(256) {
				f.SetUint(v)
				if in.Unknown() == "" && in.String() == "" {
					t.Errorf("operation %d prints nothing", op)
				}
			}
			f.SetUint(was)
		}
	}
}
