package tomldoc

import (
	"reflect"
	"testing"
)

// The embedded structs have a field of one name, which Go then selects in neither; a third hides it.
func TestAFieldIsFoundByItsKeyWhateverItsName(t *testing.T) {
	type Near struct {
		Latency int `toml:"near"`
	}
	type Far struct {
		Latency int `toml:"far"`
	}
	x := struct {
		Near
		Far
		Latency int `toml:"latency"`
		Inner   Far `toml:"inner"`
	}{Near{1}, Far{2}, 3, Far{4}}
	v := reflect.ValueOf(x)
	for key, want := range map[string]int64{"near": 1, "far": 2, "latency": 3} {
		if got := Field(v, key); !got.IsValid() || got.Int() != want {
			t.Errorf("%s: found %v, expected %d", key, got, want)
		}
	}
	if got := Field(Field(v, "inner"), "far"); got.Int() != 4 {
		t.Errorf("inner.far: found %v, expected 4", got)
	}
	if got := Field(v, "Latency"); got.IsValid() {
		t.Errorf("a key that no field has: found %v", got)
	}
}
