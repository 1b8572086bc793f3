package pairs

import (
	"strings"

	"kumiko/gpus/config"
	"kumiko/gpus/diagnose"
)

// Preset is a preset on a GPU.
type Preset struct {
	GPU    string `json:"gpu"`
	Design string `json:"design"`
	Meant  string `json:"meant_for"`
	// Sets are settings with which the preset runs; empty: none are needed, or none were found.
	Sets []string `json:"set,omitempty"`
	// Why gives the first mistake for which no setting was found, in one line; empty: the preset runs.
	Why string `json:"why,omitempty"`
}

// Presets returns the presets of designs on a GPU, by name.
func Presets(gpu string) (out []Preset, err error) {
	if _, err := config.Load(config.Request{GPU: gpu}); err != nil {
		return nil, err
	}
	designs, err := config.Designs()
	if err != nil {
		return nil, err
	}
	for _, d := range designs {
		p := Preset{GPU: gpu, Design: d.Name, Meant: d.Meant}
		list, sets := diagnose.Violations(config.Request{GPU: gpu, Design: d.Name})
		if p.Sets = sets; sets == nil {
			for _, v := range list {
				if len(v.Set) == 0 {
					p.Why = reason(v.Err)
					break
				}
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// Flags returns the command-line flags of the preset with its settings.
func (p *Preset) Flags() string {
	flags := "--design " + p.Design
	if len(p.Sets) > 0 {
		flags += " --set " + strings.Join(p.Sets, " --set ")
	}
	return flags
}
