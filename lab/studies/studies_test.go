package studies_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	_ "kumiko/lab/studies"
	"kumiko/study"
)

// Reading a study as a file builds its machines too, as a user's own study.
func TestEveryStudyLoadsAsAFileAndByItsName(t *testing.T) {
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		s, err := study.Load(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if s.Name+".toml" != file || !slices.Contains(study.Names(), s.Name) {
			t.Errorf("%s names itself %s; known are %q", file, s.Name, study.Names())
		}
		if len(s.Points(0)) == 0 {
			t.Errorf("%s has no point", file)
		}
		if s.Waves < measure.EnoughWaves {
			t.Errorf("%s: %v waves, want at least %d", file, s.Waves, measure.EnoughWaves)
		}
	}
}

// fixed are choices, by the beginning of their names, that no GPU, preset or study makes, each with its reason.
var fixed = map[string]string{
	"sm.units.":                 "a GPU file says which units it has, and no setting of one GPU becomes another's",
	"sm.fetch.icache.tags.":     "tags are those of the L1, where the choice is made",
	"mem.texture.":              "a texture cache is a cache as the L1, where the choice is made",
	"compiler.code":             "no study here compares codes: lab/vendor does",
	"regfile.turing.bank_index": "the choice is made for the file of sm_52",
	"regfile.finereg.live":      "the paper's reading loses registers of waiting lanes, and runs are then wrong",
}

// A choice is a setting that is true or false, or a word.
func TestEveryChoiceIsMadeByAGPUAPresetOrAStudy(t *testing.T) {
	values := map[string]map[any]bool{}
	look := func(r config.Request) {
		r.Untimed, r.Perturbed = true, true
		c, err := config.Load(r)
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		for _, p := range c.Params() {
			switch p.Value.(type) {
			case bool, string:
				if values[p.Key] == nil {
					values[p.Key] = map[any]bool{}
				}
				values[p.Key][p.Value] = true
			}
		}
	}
	for _, gpu := range config.Names() {
		look(config.Request{GPU: gpu})
	}
	for _, name := range study.Names() {
		s, err := study.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, p := range s.Points(0) {
			if key := p.GPU + p.Design + strings.Join(p.Set, " "); !seen[key] {
				seen[key] = true
				look(config.Request{GPU: p.GPU, Design: p.Design, Set: p.Set})
			}
		}
	}
	for key, v := range values {
		if len(v) == 1 && !slices.ContainsFunc(slices.Collect(maps.Keys(fixed)),
			func(name string) bool { return strings.HasPrefix(key, name) }) {
			t.Errorf("%s is always %v", key, v)
		}
	}
}
