package tomldoc

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASchemaHasTheTypesDescriptionsAndBoundsOfAStruct(t *testing.T) {
	type unit struct {
		Count int  `toml:"count" unit:"units" range:"1 to 8" doc:"units of an SM"`
		Open  bool `toml:"open" unit:"-" range:"depends on count"`
	}
	type file struct {
		Name  string          `toml:"name"`
		Share float64         `toml:"share"`
		List  []int           `toml:"list"`
		Rows  []unit          `toml:"row"`
		Units map[string]unit `toml:"units"`
		Any   any             `toml:"any"`
	}
	of := `{"type":"object","additionalProperties":false,"properties":{
		"count":{"type":"integer","minimum":1,"maximum":8,"description":"units of an SM. Unit: units. 1 to 8"},
		"open":{"type":"boolean","description":"depends on count"}}}`
	want := `{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},"share":{"type":"number"},
		"list":{"type":"array","items":{"type":"integer"}},"row":{"type":"array","items":` + of + `},
		"units":{"type":"object","additionalProperties":` + of + `},"any":{}}}`
	var x, y any
	if err := json.Unmarshal([]byte(want), &x); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(ShapeOf(reflect.TypeFor[file]()).JSONSchema())
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &y); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(x, y); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
