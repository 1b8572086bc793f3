package launch_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"kumiko/kernel/launch"
)

// unlike returns where a value is not as a schema says: by its type, keys, elements and enumerations, which are what
// editors mark.
func unlike(at string, v any, s map[string]any) []string {
	if types, ok := s["type"]; ok && !slices.ContainsFunc(list(types), func(t any) bool { return is(v, t.(string)) }) {
		return []string{fmt.Sprintf("%s: %T, want %v", at, v, types)}
	}
	if words, ok := s["enum"]; ok && !slices.Contains(list(words), v) {
		return []string{fmt.Sprintf("%s: %v, want one of %v", at, v, words)}
	}
	var out []string
	switch x := v.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		more, _ := s["additionalProperties"].(map[string]any)
		for key, value := range x {
			inner, ok := properties[key].(map[string]any)
			if !ok {
				inner, ok = more, more != nil || properties == nil
			}
			if !ok {
				out = append(out, at+": unknown key "+key)
				continue
			}
			out = append(out, unlike(at+"."+key, value, inner)...)
		}
		required, _ := s["required"].([]any)
		for _, key := range required {
			if x[key.(string)] == nil {
				out = append(out, fmt.Sprintf("%s: without %v", at, key))
			}
		}
	case []any:
		items, _ := s["items"].(map[string]any)
		for i, value := range x {
			out = append(out, unlike(fmt.Sprintf("%s[%d]", at, i), value, items)...)
		}
	}
	return out
}

func list(v any) []any {
	if many, ok := v.([]any); ok {
		return many
	}
	return []any{v}
}

func is(v any, typ string) bool {
	switch v.(type) {
	case string:
		return typ == "string"
	case bool:
		return typ == "boolean"
	case int64:
		return typ == "integer" || typ == "number"
	case float64:
		return typ == "number"
	case []any:
		return typ == "array"
	case map[string]any:
		return typ == "object"
	}
	return false
}

func TestTheLaunchFilesOfThePageAreAsTheSchemaSays(t *testing.T) {
	text, err := json.Marshal(launch.JSONSchema())
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	all, _ := examples(t)
	n := 0
	for _, e := range all {
		var v map[string]any
		if e.err != "" || toml.Unmarshal([]byte(e.text), &v) != nil {
			continue
		}
		n++
		for _, fault := range unlike("", v, s) {
			t.Errorf("%s: %s", e.title, fault)
		}
	}
	if n < 10 {
		t.Errorf("%d launch files, want at least 10", n)
	}
	wrong := map[string]any{"launch": []any{map[string]any{"kernel": int64(1), "gird": []any{int64(1)}}}}
	if faults := unlike("", wrong, s); len(faults) != 2 {
		t.Errorf("a file with two mistakes has %q", faults)
	}
}
