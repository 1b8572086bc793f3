package config

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"kumiko/internal/infile"
	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
)

//go:embed *.toml designs/*.toml
var builtin embed.FS

// Request selects a configuration.
type Request struct {
	GPU    string   // a built-in name, or a file ending in .toml
	Design string   // a preset, or several joined by "+"; "": as the GPU has it
	Set    []string // "key=value", applied last, in order
	// Base are settings of the calling code, applied before Set. Errors do not blame them, and they may be without
	// effect.
	Base []string
	// Trial are settings that the calling code tries out, applied after Set. Errors do not blame them.
	Trial []string
	// Untimed declares that nothing will be simulated. Settings with an unmet condition are then accepted: an
	// access stream, for example, depends on sched.suspend_on whatever the scheduler.
	Untimed bool
	// Perturbed declares that the machine will also run under perturbations. Settings of the perturbations are then
	// accepted although the plain run has none.
	Perturbed bool
}

// Load reads a configuration. Mistakes in the input are returned as *tomldoc.Error, several of them joined.
func Load(r Request) (*Config, error) {
	r.Design = presentNames(r.Design)
	layers, err := layersOf(r.GPU, tomldoc.Pos{}, nil)
	if err != nil {
		return nil, err
	}
	files := len(layers)
	if r.Design != "" {
		designs, err := designLayers(r.Design)
		if err != nil {
			return nil, err
		}
		layers = append(layers, designs...)
	}
	presets := len(layers)
	set, errs := r.settings()
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	layers = append(layers, set...)
	c := newConfig()
	c.Name, c.Design, c.layers = r.GPU, r.Design, layers
	preset, meant := Axes{}, map[string]string{}
	for i := range layers {
		own := c.Doc
		c.Meant = ""
		if i < files {
			c.Measured = ""
		}
		if err := c.apply(&layers[i]); err != nil {
			return nil, err
		}
		if i >= files && i < presets {
			c.Doc, preset = own, c.RegFile.Axes() // the preset's line describes the preset
			meant[strings.TrimSuffix(path.Base(layers[i].doc.File), ".toml")] = c.Meant
		}
		if err := preset.replaced(r.Design, c.RegFile.Kind, layers[i].last(kindKey)); err != nil {
			return nil, err
		}
	}
	if err := c.reconcile(); err != nil {
		return nil, rootless(locate(err, layers), &layers[0])
	}
	errs = c.RegFile.unused(layers)
	if !r.Untimed {
		errs = append(errs, c.idle(r.Perturbed)...)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if a := c.RegFile.Axes(); a != preset {
		c.Design, meant = a.String(), nil // no preset was requested, or settings have changed its axes
	}
	c.Meant = statement(r.Design, meant)
	return c, nil
}

// settings returns the layers of the settings.
func (r *Request) settings() (layers []layer, errs []error) {
	for i, s := range slices.Concat(r.Base, r.Set, r.Trial) {
		l, err := setLayer(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		l.base = i < len(r.Base) || i >= len(r.Base)+len(r.Set)
		l.builtin = l.base
		layers = append(layers, l)
	}
	return layers, errs
}

// statement returns what the presets of a list joined by "+" are meant for, each with its name if there are several.
func statement(design string, meant map[string]string) string {
	var out []string
	names := strings.Split(design, "+")
	for _, n := range names {
		switch m := meant[n]; {
		case m == "":
		case len(names) == 1:
			out = append(out, m)
		default:
			out = append(out, n+": "+m)
		}
	}
	return strings.Join(out, "; ")
}

// rootless replaces the error of an incomplete user file without a base. The new error asks for a base.
func rootless(err error, root *layer) error {
	if root.builtin {
		return err
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return tomldoc.Errorf(tomldoc.Pos{File: root.doc.File, Line: 1, Col: 1},
		`found no base, expected base = "NAME" of a GPU (kumiko list gpus), or a value for every key (kumiko list params); the first that is missing or wrong: %s`, first)
}

// layer is a document that sets some of the values.
type layer struct {
	doc     *tomldoc.Doc
	builtin bool
	base    bool // from Request.Base or Request.Trial
}

// layersOf returns the layers of a GPU, the root of its inheritance first. from is the position naming the GPU. via
// are the files already visited along the inheritance.
func layersOf(name string, from tomldoc.Pos, via []string) ([]layer, error) {
	file, isBuiltin := name+".toml", true
	if strings.HasSuffix(name, ".toml") {
		file, isBuiltin = name, false
		if from.File != "" && !filepath.IsAbs(name) {
			file = filepath.Join(filepath.Dir(from.File), name)
		}
		file = filepath.Clean(file)
	}
	id := fmt.Sprint(isBuiltin, file)
	if slices.Contains(via, id) {
		return nil, tomldoc.Errorf(from, "base %q: inheritance loop, %s inherits from itself", name, file)
	}
	data, err := readGPU(name, file, isBuiltin)
	if err != nil {
		return nil, placed(from, err)
	}
	doc, h, err := parseLayer(file, data)
	if err != nil {
		return nil, err
	}
	if h.Meant != "" {
		return nil, tomldoc.Errorf(doc.At("meant"), "meant: found in a GPU, expected in a preset of a design alone")
	}
	if err := checkCapability(h.Capability); err != nil {
		return nil, tomldoc.Errorf(doc.At("capability"), "%v", err)
	}
	own := layer{doc: doc, builtin: isBuiltin}
	if h.Base == "" {
		return []layer{own}, nil
	}
	below, err := layersOf(h.Base, baseAt(doc), append(via, id))
	return append(below, own), err
}

func readGPU(name, file string, isBuiltin bool) ([]byte, error) {
	if !isBuiltin {
		data, err := infile.Read(file)
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = fmt.Errorf("GPU file %s: %w", file, pe.Err)
		}
		return data, err
	}
	data, err := builtin.ReadFile(file)
	if err != nil || name == "" {
		return nil, fmt.Errorf("no GPU named %q; expected one of %s, or a file ending in .toml%s", name,
			strings.Join(Names(), ", "), nearest.Hint(name, Names()))
	}
	return data, nil
}

func placed(p tomldoc.Pos, err error) error {
	if p.File == "" {
		return err
	}
	return tomldoc.Errorf(p, "%v", err)
}

func baseAt(d *tomldoc.Doc) tomldoc.Pos {
	for i := range d.Entries {
		if d.Entries[i].Path() == "base" {
			return d.Entries[i].Val
		}
	}
	return tomldoc.Pos{File: d.File}
}

// parseLayer reads a document and checks its keys and types.
func parseLayer(file string, data []byte) (*tomldoc.Doc, Header, error) {
	doc, err := tomldoc.Parse(file, data)
	if err != nil {
		return nil, Header{}, err
	}
	doc.Rename(canonical)
	if errs := check(doc); len(errs) > 0 {
		return nil, Header{}, tomldoc.Join(file, errs)
	}
	var h Header
	if err := tomldoc.Decode(doc.File, data, &h); err != nil {
		return nil, h, err
	}
	return doc, h, nil
}

// apply decodes a layer over the present values. The layer's keys and types have been checked.
func (c *Config) apply(l *layer) error {
	for i := range l.doc.Entries {
		e := &l.doc.Entries[i]
		c.origins[e.Path()] = origin{e.Pos, e.Comment}
	}
	if err := l.doc.Apply(c.owner); err != nil {
		return err
	}
	c.RegFile.Kind = regfile.Present(c.RegFile.Kind)
	return c.settle(l)
}

// owner returns the Spec that has a key, with the part of the key below it: the settings of an SM's schedulers, of its
// switching, or of a kind of register file, or else the whole configuration.
func (c *Config) owner(key []string) (reflect.Value, []string) {
	switch {
	case key[0] == "sched":
		return reflect.ValueOf(&c.SM.Scheduler).Elem(), key[1:]
	case key[0] == "cta":
		return reflect.ValueOf(&c.SM.Switch).Elem(), key[1:]
	case len(key) > 1 && key[0] == "regfile" && c.RegFile.settings[key[1]] != nil:
		return c.RegFile.settings[key[1]].Value(), key[2:]
	}
	return reflect.ValueOf(c).Elem(), key
}

// section returns the value of a section.
func (c *Config) section(name string) reflect.Value {
	v, below := c.owner([]string{name})
	if len(below) > 0 {
		v = tomldoc.Field(v, name)
	}
	return v
}

// Names lists the built-in GPUs.
func Names() []string {
	var out []string
	for _, n := range tomlFiles(".") {
		if n != commonGPU {
			out = append(out, n)
		}
	}
	return out
}

// commonGPU is the file of values shared by all GPUs. It is not a GPU itself.
const commonGPU = "common"

func tomlFiles(dir string) []string {
	entries, err := builtin.ReadDir(dir)
	if err != nil {
		panic(err) // the folder is part of the program
	}
	var out []string
	for _, e := range entries {
		if n, ok := strings.CutSuffix(e.Name(), ".toml"); ok && path.Ext(e.Name()) == ".toml" {
			out = append(out, n)
		}
	}
	slices.Sort(out) // names without .toml sort differently from the files
	return out
}
