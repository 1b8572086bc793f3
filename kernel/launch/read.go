package launch

import (
	"fmt"
	"path/filepath"
	"sort"

	"kumiko/internal/excerpt"
	"kumiko/internal/infile"
	"kumiko/internal/tomldoc"
	"kumiko/kernel/ir"
)

// reader collects the program and its errors.
type reader struct {
	dir  string
	lim  Limits
	p    *Program
	errs tomldoc.Errors

	unlinked bool // the modules do not fit together: missing definitions may be in them

	unread bool // a module could not be read: missing names may be in it
	times  int  // executions of the step being read
	count  int  // launches so far, in all rounds
	mapped int  // bytes of global memory so far
	read   int  // bytes of files so far

	named map[string]*launch
}

// Load reads a launch file for the kernels of a module. The file may name further modules. Its error is an
// *tomldoc.Error or tomldoc.Errors, unless the file cannot be read.
func Load(file string, m *ir.Module) (*Program, error) { return LoadWithin(file, m, Limits{}) }

// LoadWithin is Load with the given limits in place of the defaults.
func LoadWithin(file string, m *ir.Module, lim Limits) (*Program, error) {
	data, err := infile.Read(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, data, m, lim)
}

// Parse is LoadWithin for the contents of a file; paths within it are relative to the folder of file.
func Parse(file string, data []byte, m *ir.Module, lim Limits) (*Program, error) {
	root, err := parseTree(file, data)
	if err != nil {
		return nil, err
	}
	r := &reader{times: 1, mapped: variables(m), dir: filepath.Dir(file), lim: lim.orDefault(), p: &Program{name: file,
		modules: []namedModule{{m, filepath.Base(m.File)}}, buffers: map[string]*buffer{}}}
	r.document(root)
	if len(r.errs) == 0 {
		return r.p, nil
	}
	sort.SliceStable(r.errs, func(i, j int) bool {
		a, b := r.errs[i].Pos, r.errs[j].Pos
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
	return nil, r.errs
}

// errorf reports a mistake at a place. Its message begins with the key.
func (r *reader) errorf(at place, format string, args ...any) {
	r.errs = append(r.errs, tomldoc.Errorf(at.pos, "%s%s", at.prefix(), fmt.Sprintf(format, excerpt.Args(args)...)))
}

func (r *reader) document(root *value) {
	r.keys(root, "modules", "launch", "buffers", "textures", "expect", "save")
	r.modules(root)
	if v := root.get("buffers"); v != nil && r.is(v, kindTable) {
		for _, e := range v.keys {
			r.buffer(e)
		}
		for _, e := range v.keys {
			r.contents(e)
		}
	}
	r.textures(root)
	launches := r.tables(root, "launch")
	for _, v := range launches {
		r.p.steps = append(r.p.steps, r.step(v))
	}
	r.idleTextures()
	if len(r.p.launches) == 0 && len(r.errs) == 0 {
		r.errorf(root.place, "found no [[launch]] of a kernel, expected at least one")
	}
	for _, v := range r.tables(root, "expect") {
		r.expect(v)
	}
	for _, v := range r.tables(root, "save") {
		r.save(v)
	}
}

// keys reports the unknown keys of a table.
func (r *reader) keys(v *value, known ...string) {
next:
	for _, e := range v.keys {
		for _, k := range known {
			if e.name == k {
				continue next
			}
		}
		r.errorf(place{e.pos, v.key}, "found the unknown key %q, expected one of %s", e.name, excerpt.List(known))
	}
}

func (r *reader) is(v *value, k kind) bool {
	if v.kind == k || k == kindFloat && v.kind == kindInt {
		return true
	}
	r.errorf(v.place, "found %s, expected %s", kindNames[v.kind], kindNames[k])
	return false
}

// tables returns the list of tables under a key, written as [[key]].
func (r *reader) tables(root *value, name string) []*value {
	v := root.get(name)
	if v == nil || !r.is(v, kindList) {
		return nil
	}
	var out []*value
	for _, e := range v.list {
		if r.is(e, kindTable) {
			out = append(out, e)
		}
	}
	return out
}

// need returns the value of a required key.
func (r *reader) need(v *value, name, what string, k kind) *value {
	e := v.get(name)
	if e == nil {
		r.errorf(v.place, "found no %s, expected %s", name, what)
		return nil
	}
	if !r.is(e, k) {
		return nil
	}
	return e
}

// integer returns the value of an integer key within bounds, def if it is missing.
func (r *reader) integer(v *value, name string, def, low, high int64) int64 {
	e := r.between(v, name, low, high, "")
	if e == nil {
		return def
	}
	return e.i
}

// upTo returns an integer from 1 to high, 1 if it is missing or wrong. The message about a larger one names the
// option that sets the limit.
func (r *reader) upTo(high int64, v *value, name, option string) int {
	e := r.between(v, name, 1, high, " ("+option+")")
	if e == nil {
		return 1
	}
	return int(e.i)
}

// between returns the value of an integer key, nil if it is missing or not from low to high.
func (r *reader) between(v *value, name string, low, high int64, note string) *value {
	e := v.get(name)
	if e == nil || !r.is(e, kindInt) {
		return nil
	}
	if e.i <= high {
		note = "" // it is not the limit's fault
	}
	if e.i < low || e.i > high {
		r.errorf(e.place, "found %d, expected %d to %d%s", e.i, low, high, note)
		return nil
	}
	return e
}

// number returns the value of a float key, def if it is missing.
func (r *reader) number(v *value, name string, def float64) float64 {
	e := v.get(name)
	if e == nil || !r.is(e, kindFloat) {
		return def
	}
	return e.f
}
