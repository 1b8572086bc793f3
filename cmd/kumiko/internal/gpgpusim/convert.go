package gpgpusim

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A GPU is a GPU file in the making.
type GPU struct {
	Base     string // GPU that the file builds upon
	settings []setting
	left     []leftOut
	unknown  []Option

	options map[string]*Option
	order   []Option
	used    map[string]bool
	subCore bool // each scheduler has units and banks of its own
	errs    []error
}

// setting is a line of the file: a key with its value as TOML, and where it is from.
type setting struct{ key, value, source string }

// leftOut is an option without a place here.
type leftOut struct {
	Option
	changes string // what is different without it
}

// Convert makes a GPU of the options of a configuration, and of those of a trace configuration, if any. Its error lists
// the values that could not be read, each with its place.
func Convert(options, trace []Option) (*GPU, error) {
	g := &GPU{options: map[string]*Option{}, used: map[string]bool{}, order: append(options[:len(options):len(options)],
		trace...)}
	for i := range g.order {
		g.options[g.order[i].Name] = &g.order[i]
	}
	if n, ok := g.int("gpgpu_sub_core_model"); ok && n != 0 {
		g.subCore = true
	}
	g.Base = map[bool]string{false: "gpgpusim-gtx480", true: "gpgpusim-gtx980"}[g.subCore]
	g.core()
	g.units()
	g.registers()
	g.onChip()
	g.caches()
	g.memory()
	g.rest()
	if len(g.errs) == 0 {
		g.errs = append(g.errs, g.foreign(options), g.foreign(trace))
	}
	return g, errors.Join(g.errs...)
}

// foreign returns an error if no option of a file is known: the file is no configuration.
func (g *GPU) foreign(options []Option) error {
	for i := range options {
		if g.used[options[i].Name] {
			return nil
		}
	}
	if len(options) == 0 {
		return nil
	}
	return fmt.Errorf("%s: -%s: found no option of GPGPU-Sim in the file, expected lines as -gpgpu_n_clusters 15",
		options[0].place(), options[0].Name)
}

// option returns an option, and notes that it has a place.
func (g *GPU) option(name string) (*Option, bool) {
	o, ok := g.options[name]
	if ok {
		g.used[name] = true
	}
	return o, ok
}

func (g *GPU) fail(o *Option, expected string) {
	g.errs = append(g.errs, fmt.Errorf("%s: -%s: found %q, expected %s", o.place(), o.Name, o.Value, expected))
}

// int returns the value of an option that is a whole number.
func (g *GPU) int(name string) (int, bool) {
	o, ok := g.option(name)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(o.Value)
	if err != nil || n < 0 {
		g.fail(o, "a whole number")
		return 0, false
	}
	return n, true
}

// ints returns the values of an option that is a list of at least n numbers. Fractions are rounded.
func (g *GPU) ints(name, separator string, n int) ([]int, bool) {
	o, ok := g.option(name)
	if !ok {
		return nil, false
	}
	var out []int
	for _, s := range strings.Split(o.Value, separator) {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || x < 0 || x > math.MaxInt32 {
			g.fail(o, "numbers between "+separator)
			return nil, false
		}
		out = append(out, int(math.Round(x)))
	}
	if len(out) < n {
		g.fail(o, fmt.Sprintf("at least %d numbers", n))
		return nil, false
	}
	return out, true
}

// put adds a setting with its source.
func (g *GPU) put(key string, value any, source string) {
	text := fmt.Sprint(value)
	switch v := value.(type) {
	case string:
		text = strconv.Quote(v)
	case []int:
		text = strings.ReplaceAll(text, " ", ", ")
	case []string:
		text = "[" + strings.Join(quoted(v), ", ") + "]"
	}
	g.settings = append(g.settings, setting{key, text, source})
}

func quoted(list []string) (out []string) {
	for _, s := range list {
		out = append(out, strconv.Quote(s))
	}
	return out
}

// source returns the source of a setting: the option as it is written, and what was done to its value.
func (g *GPU) source(name string, done ...string) string {
	return strings.Join(append([]string{"-" + name + " " + g.options[name].Value}, done...), ", ")
}

// copy gives a setting the number of an option.
func (g *GPU) copy(key, name string) {
	if n, ok := g.int(name); ok {
		g.put(key, n, g.source(name))
	}
}

// copyUpTo gives a setting the number of an option, or the most that Kumiko has, which is noted with what it changes.
func (g *GPU) copyUpTo(most int, key, name, changes string) {
	switch n, ok := g.int(name); {
	case !ok:
	case n <= most:
		g.put(key, n, g.source(name))
	default:
		g.put(key, most, g.source(name, "the most here"))
		g.leave(name, changes)
	}
}

// choose gives a setting the word that stands for the value of an option.
func (g *GPU) choose(key, name string, words map[string]any) {
	o, ok := g.option(name)
	if !ok {
		return
	}
	w, ok := words[o.Value]
	if !ok {
		g.leave(name, "the value is not known")
		return
	}
	g.put(key, w, g.source(name))
}

// leave notes that an option is left out, and what that changes.
func (g *GPU) leave(name, changes string) {
	if o, ok := g.option(name); ok {
		g.left = append(g.left, leftOut{*o, changes})
	}
}

// number returns the value of a setting, if the file has it.
func (g *GPU) number(key string) (int, bool) {
	for _, s := range g.settings {
		if s.key == key {
			n, err := strconv.Atoi(s.value)
			return n, err == nil
		}
	}
	return 0, false
}
