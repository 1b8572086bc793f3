// Package pairs combines every kind of register file with every residency on a GPU. It reports for each pair the
// settings needed to run it, or the reason why it does not run.
package pairs

import (
	"errors"
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/diagnose"
	"kumiko/internal/tomldoc"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// Pair is a kind of register file with a residency on a GPU.
type Pair struct {
	GPU       string `json:"gpu"`
	Path      string `json:"path"`
	Residency string `json:"residency"`
	// Design is the value of --design for the pair, or for the part of the pair covered by presets.
	Design string `json:"design"`
	// Sets are the additional settings needed by the pair; empty: none, or the pair does not run.
	Sets []string `json:"set,omitempty"`
	// Why gives the reason, in one line, why the pair does not run; empty: it runs.
	Why string `json:"why,omitempty"`
}

// List returns the pairs of a GPU, by the kind of register file and then by residency.
func List(gpu string) (out []Pair, err error) {
	if _, err := config.Load(config.Request{GPU: gpu}); err != nil {
		return nil, err
	}
	designs, err := config.Presets()
	if err != nil {
		return nil, err
	}
	for _, path := range config.Paths() {
		if !designs.Has(config.Axes{Path: path, Residency: regfile.NoResidency}) {
			continue // it is part of an experiment
		}
		for _, r := range config.Residencies() {
			out = append(out, try(gpu, designs, config.Axes{Path: path, Residency: r}))
		}
	}
	return out, nil
}

// try assembles a machine of a pair, with remedies if needed.
func try(gpu string, designs config.PresetList, a config.Axes) Pair {
	p := Pair{GPU: gpu, Path: a.Path, Residency: a.Residency, Design: designs.Of(a)}
	if p.Why = a.Why(); p.Why != "" {
		return p
	}
	err := p.fails(nil)
	for err != nil && p.remedy(reason(err)) {
		err = p.fails(p.Sets)
	}
	if err == nil {
		return p
	}
	p.Why = reason(err)
	if p.Sets != nil {
		p.Why = "with `" + p.flags() + "`: " + p.Why
	}
	return p
}

// flags returns the settings as command-line flags.
func (p *Pair) flags() string { return "--set " + strings.Join(p.Sets, " --set ") }

// remedy adds settings that remove the reason why the pair does not run. It reports whether any setting did.
func (p *Pair) remedy(why string) bool {
	for _, r := range diagnose.Known {
		sets := slices.Concat(p.Sets, r)
		if err := p.fails(sets); !slices.Contains(p.Sets, r[0]) && (err == nil || reason(err) != why) && !idle(err) {
			p.Sets = sets
			return true
		}
	}
	return false
}

// idle reports whether an error is about a setting without effect.
func idle(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "has no effect") ||
		strings.Contains(err.Error(), "no such setting"))
}

// fails assembles a machine of the pair with the given settings. It returns the error of the assembly, or an error
// if the machine cannot hold a CTA of four warps.
func (p *Pair) fails(set []string) error {
	cfg, err := config.Load(p.Request(set...))
	if err != nil {
		return err
	}
	if _, err := gpus.New(cfg, gpus.Options{}); err != nil {
		return err
	}
	_, err = cfg.CTAs(occupancy.CTA{Threads: 128, Registers: 32})
	return err
}

// Request returns the request for the pair's machine with one SM and the given settings.
func (p *Pair) Request(set ...string) config.Request {
	return config.Request{GPU: p.GPU, Design: p.Design, Base: []string{"slice.sms=1"}, Set: set}
}

// reason returns the message of an error in one line, without its place.
func reason(err error) string {
	var at *tomldoc.Error
	var value *spec.Error
	text := err.Error()
	switch {
	case errors.As(err, &at):
		text = at.Msg
	case errors.As(err, &value):
		text = value.Error()
	}
	text, _, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "; ") // where an inherited value is set
	return text
}
