package study

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestANameInASetStandsForTheSettingsOfThatName(t *testing.T) {
	s := parse(t, head+`[sets]
few  = ["sm.warps=32", "sm.threads=1024"]
many = ["sm.warps=64", "sm.threads=2048"]
[[variant]]
name = "{slots}"
gpu = "gtx980"
set = ["{slots}", "sm.ctas=16"]
sweeps = {slots = ["few", "many"]}
`)
	want := [][]string{{"sm.warps=32", "sm.threads=1024", "sm.ctas=16"},
		{"sm.warps=64", "sm.threads=2048", "sm.ctas=16"}}
	if d := cmp.Diff(want, [][]string{s.Variants[0].Set, s.Variants[1].Set}); d != "" {
		t.Error(d)
	}
	if v := s.Config("few").Values(); v["sm.warps"] != 32 {
		t.Errorf("%v warps, want 32", v["sm.warps"])
	}
}

func TestSetsThatAreUnknownUnusedOrNoSettingsAreRefused(t *testing.T) {
	const variant = "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"few\"]\n"
	for text, want := range map[string]string{
		variant + "[sets]\nfew = [\"sm.warps=32\"]\nmany = [\"sm.warps=64\"]\n": "many, which no variant or stream has",
		variant + "[sets]\nfewer = [\"sm.warps=32\"]\n":                         `found "few", expected a setting (key=value) or the name of one of [sets]; did you mean fewer`,
		variant + "[sets]\nfew = [\"many\"]\n":                                  `sets: few: found "many", expected a setting`,
		variant + "[sets]\nfew = [\"sm.warps=32\", \"sm.warps=48\"]\n":          "sm.warps is set twice",
	} {
		_, err := Parse("t.toml", []byte(head+text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
