package evidence

import (
	"slices"
	"strings"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/lab/deviations"
	"kumiko/regfile"
	"kumiko/study"
)

// listed returns the IDs of the deviations that the report of a study lists.
func listed(t *testing.T, text string) []string {
	t.Helper()
	s, err := study.Parse("own.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	sec, err := notes(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range sec.Parts {
		id, _, _ := strings.Cut(p.Group.Title, ": ")
		out = append(out, id)
	}
	return out
}

func TestAReportListsTheDeviationsOfTheDesignsThatItsStudyHas(t *testing.T) {
	const head = "name = \"own\"\n[groups]\ng = [\"vecadd\"]\n[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\n"
	for _, k := range []struct {
		text    string
		in, not []string
	}{
		{head, []string{"programs"}, []string{"results", "trace-free-flush", "ltrf-rate", "bow-place"}},
		{head + "design = \"rfc\"\n", []string{"programs", "trace-free-flush"}, []string{"ltrf-rate", "weights"}},
		{head + "design = \"bow\"\n", []string{"bow-place"}, []string{"trace-free-flush"}},
		{"paper = \"ltrf\"\n" + head + "design = \"rfc\"\n", []string{"results", "ltrf-groups", "trace-free-flush"},
			[]string{"ltrf-rate", "weights"}},
	} {
		got := listed(t, k.text)
		for _, id := range k.in {
			if !slices.Contains(got, id) {
				t.Errorf("%s: %q lacks %s", k.text, got, id)
			}
		}
		for _, id := range k.not {
			if slices.Contains(got, id) {
				t.Errorf("%s: %q has %s", k.text, got, id)
			}
		}
	}
}

func TestDeviationsNameDesignsAndProgramsThatExist(t *testing.T) {
	all, err := deviations.All()
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Concat(config.DesignNames(), regfile.Names(), config.Residencies(),
		config.Choices(config.Request{GPU: "gtx980"}, "onchip.memory"),
		config.Choices(config.Request{GPU: "gtx980"}, "sched.policy"))
	about := 0
	for i := range all {
		d := &all[i]
		about += len(d.Designs) + len(d.Programs)
		for _, n := range d.Designs {
			if !slices.Contains(names, n) {
				t.Errorf("%s: no design %q", d.ID, n)
			}
		}
		for _, n := range d.Programs {
			if n != deviations.BuiltIn && benchmarks.Find(n) == nil {
				t.Errorf("%s: no program %q", d.ID, n)
			}
		}
	}
	if about < 50 {
		t.Errorf("%d names of designs and programs", about)
	}
}
