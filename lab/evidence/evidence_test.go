package evidence

import (
	"errors"
	"strings"
	"testing"

	"kumiko/study"
	"kumiko/study/report"
)

const head = `name = "t"
size = "test"
[groups]
a = ["vecadd", "bfs"]
[[variant]]
name = "v"
gpu = "gtx980"
`

func TestAStudyThatNamesWhatTheEvidenceLacksIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		head + "\n[[note]]\ntext = \"see [deviation ltrf-rat]\"\n": "t.toml:10:8: note: no deviation \"ltrf-rat\" in " +
			"lab/deviations/data; did you mean ltrf-rate?",
		"paper = \"ltfr\"\n" + head: "t.toml:1:9: paper: found \"ltfr\", expected one of gebhart, sharing, ltrf, ",
	} {
		s, err := study.Parse("t.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(report.Check(s, Published{})...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v\nwant %s", text, err, want)
		}
		if errs := report.Check(s, nil); len(errs) > 0 {
			t.Errorf("without the evidence %v", errs)
		}
	}
}

func TestANamedDeviationStandsInTheReport(t *testing.T) {
	s, err := study.Parse("t.toml", []byte(head+"[[note]]\ntext = \"It matters [deviation programs].\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.New(&report.Input{Data: study.NewData(s, nil), Evidence: Published{}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := r.Page().Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"It matters (deviation programs, below)", "CUDA C, written in this project",
		"lab/docs/deviations/README.md#programs"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in the page", want)
		}
	}
}

func TestAReportWithoutTheEvidenceSaysWhoJudgesItsClaims(t *testing.T) {
	s, err := study.Parse("t.toml", []byte("paper = \"ltrf\"\n"+head))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []report.Evidence{nil, Published{}} {
		r, err := report.New(&report.Input{Data: study.NewData(s, nil), Evidence: e})
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, sec := range r.Page().Sections {
			titles = append(titles, sec.Title)
		}
		want := "Claims"
		if e != nil {
			want = "Claims of LTRF"
		}
		if all := strings.Join(titles, "\n"); !strings.Contains("\n"+all+"\n", "\n"+want) ||
			strings.Contains(all, "Deviations and notes") != (e != nil) {
			t.Errorf("with %v: sections %q", e, titles)
		}
	}
}
