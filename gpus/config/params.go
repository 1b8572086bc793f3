package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"kumiko/internal/tomldoc"
)

// Param is one parameter of a GPU.
type Param struct {
	Key  string `json:"key"`
	Type string `json:"type"`
	Unit string `json:"unit"` // "-" for none
	Doc  string `json:"doc"`
	// Range has the bounds of a number, such as "1 to 64"; empty: none, or bounds that depend on other settings.
	Range string `json:"range,omitempty"`
	Value any    `json:"value"`
	// Source is the comment on the value in its file.
	Source string `json:"source"`
	// Where is the position that set the value; "" for a zero value set nowhere.
	Where string `json:"where"`
}

// Params lists every parameter of the GPU, in the order of the sections.
func (c *Config) Params() []Param {
	var out []Param
	for _, key := range schema().Keys {
		if ofHeader(key) {
			continue
		}
		if key == "regfile" {
			c.RegFile.collect(&out)
			continue
		}
		collect(key, schema().Table[key], c.section(key), &out)
	}
	for i := range out {
		p := &out[i]
		if o, ok := c.origins[p.Key]; ok {
			p.Source, p.Where = o.comment, o.pos.String()
		}
	}
	return out
}

func (r *RegFile) collect(out *[]Param) {
	n := schema().Table["regfile"]
	collect(kindKey, n.Table["kind"], reflect.ValueOf(r.Kind), out)
	collect(residencyKey, n.Table["residency"], reflect.ValueOf(r.Residency), out)
	for _, name := range r.kinds() {
		s := r.settings[name]
		from := len(*out)
		collect("regfile."+name, n.Table[name], s.Value(), out)
		for i := range (*out)[from:] {
			p := &(*out)[from+i]
			p.Where = "package regfile"
			if p.Source == "" {
				p.Source = "default of the kind"
			}
		}
	}
}

func collect(key string, n *node, v reflect.Value, out *[]Param) {
	switch {
	case n.Leaf() || n.List != nil:
		*out = append(*out, Param{Key: key, Type: n.Noun(), Unit: n.Tag.Get("unit"), Doc: n.Tag.Get("doc"),
			Range: n.Tag.Get("range"), Source: n.Tag.Get("source"), Value: plain(n, v)})
	case n.Dict != nil:
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			collect(key+"."+name.String(), n.Dict, v.MapIndex(name), out)
		}
	default:
		for _, k := range n.Keys {
			collect(key+"."+k, n.Table[k], tomldoc.Field(v, k), out)
		}
	}
}

// plain returns a value in the form used by files: an array of tables as maps by key.
func plain(n *node, v reflect.Value) any {
	if n.List == nil {
		return v.Interface()
	}
	out := []map[string]any{}
	for i := range v.Len() {
		m := map[string]any{}
		for _, k := range n.List.Keys {
			m[k] = plain(n.List.Table[k], tomldoc.Field(v.Index(i), k))
		}
		out = append(out, m)
	}
	return out
}

// Values returns the whole configuration by key.
func (c *Config) Values() map[string]any {
	out := map[string]any{}
	for _, p := range c.Params() {
		out[p.Key] = p.Value
	}
	return out
}

// Hash returns the SHA-256, in hexadecimal, of the configuration's canonical form: one line "key = value" per
// parameter, sorted by key, values as in JSON. Names and comments are left out, so that different spellings of the
// same GPU have equal hashes.
func (c *Config) Hash() string {
	params := c.Params()
	slices.SortFunc(params, func(a, b Param) int { return strings.Compare(a.Key, b.Key) })
	h := sha256.New()
	for _, p := range params {
		b, err := json.Marshal(p.Value)
		if err != nil {
			panic(fmt.Sprintf("config: %s: %v", p.Key, err)) // every type of the schema exists in JSON
		}
		io.WriteString(h, p.Key+" = "+string(b)+"\n")
	}
	return hex.EncodeToString(h.Sum(nil))
}
