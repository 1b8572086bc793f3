package tomldoc

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// Draft is the version of JSON schemas that JSONSchema returns.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// bounds is the range of a number with fixed ends, "1 to 64".
var bounds = regexp.MustCompile(`^(-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)$`)

// JSONSchema returns the shape as a JSON schema (draft 2020-12), by which editors complete keys and mark mistakes. The
// description of a key has its tag doc, its unit and its range.
func (s *Shape) JSONSchema() map[string]any {
	m := map[string]any{}
	switch {
	case s.Table != nil:
		properties := map[string]any{}
		for _, key := range s.Keys {
			properties[key] = s.Table[key].JSONSchema()
		}
		m["type"], m["properties"], m["additionalProperties"] = "object", properties, false
	case s.Dict != nil:
		m["type"], m["additionalProperties"] = "object", s.Dict.JSONSchema()
	case s.List != nil:
		m["type"], m["items"] = "array", s.List.JSONSchema()
	case s.Type.Kind() == reflect.Slice:
		m["type"], m["items"] = "array", ShapeOf(s.Type.Elem()).JSONSchema()
	case !s.any():
		m["type"] = s.Noun()
	}
	s.describe(m)
	return m
}

// describe adds what the tags of a field say.
func (s *Shape) describe(m map[string]any) {
	var parts []string
	if doc := s.Tag.Get("doc"); doc != "" {
		parts = append(parts, doc)
	}
	if unit := s.Tag.Get("unit"); unit != "" && unit != "-" {
		parts = append(parts, "Unit: "+unit)
	}
	if r := s.Tag.Get("range"); r != "" {
		parts = append(parts, r)
		if ends := bounds.FindStringSubmatch(r); ends != nil {
			m["minimum"], _ = strconv.ParseFloat(ends[1], 64)
			m["maximum"], _ = strconv.ParseFloat(ends[2], 64)
		}
	}
	if len(parts) > 0 {
		m["description"] = strings.Join(parts, ". ")
	}
}
