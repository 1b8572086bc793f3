package validation

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"kumiko/internal/infile"
)

// Entry is one launch with GPGPU-Sim's figures.
type Entry struct {
	Kernel  string `json:"kernel"`
	Name    string `json:"name"`    // of the launch, where a kernel has several
	Variant string `json:"variant"` // in results.json the launched variant, in sensitivity.json the changed setting
	Config  string `json:"config"`  // gtx480 or gtx980
	Launch  string `json:"launch"`  // in sensitivity.json the launch
	Grid    [3]int `json:"grid"`    // CTAs
	Block   [3]int `json:"block"`   // threads

	Cycles     uint64  `json:"cycles"` // core cycles
	ThreadInsn uint64  `json:"thread_insn"`
	WarpInsn   uint64  `json:"warp_insn"`
	CTAsPerSM  int     `json:"ctas_per_sm"`
	Setting    string  `json:"setting"`
	Ratio      float64 `json:"ratio_to_base"`
}

// Label names the launch in tables.
func (e *Entry) Label() string {
	if e.Name != "" {
		return e.Name
	}
	return e.Kernel
}

// References returns the launches of results.json, followed by the launches of sensitivity.json with an unchanged
// configuration.
func References(dir string) ([]Entry, error) {
	entries, err := read(filepath.Join(dir, "results.json"))
	if err != nil {
		return nil, err
	}
	all, err := Sensitivities(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if e.Variant == baseVariant {
			e.Name = e.Kernel + ".small"
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// baseVariant is the name of the unchanged configuration in sensitivity.json.
const baseVariant = "base"

// Sensitivities returns the launches of sensitivity.json: each kernel with each setting.
func Sensitivities(dir string) ([]Entry, error) {
	return read(filepath.Join(dir, "sensitivity.json"))
}

func read(file string) ([]Entry, error) {
	data, err := infile.Read(file)
	if err != nil {
		return nil, err
	}
	var list []Entry
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range list {
		if e := &list[i]; e.Cycles == 0 || e.Kernel == "" || gpuOf(e.Config) == "" {
			return nil, fmt.Errorf("%s: entry %d: expected a kernel, a known configuration and cycles, found %q, %q, "+
				"%d", file, i, e.Kernel, e.Config, e.Cycles)
		}
	}
	return list, nil
}

// gpuOf returns the compatibility GPU of one of GPGPU-Sim's configurations.
func gpuOf(config string) string {
	switch config {
	case "gtx480", "gtx980":
		return "gpgpusim-" + config
	}
	return ""
}
