package main

import (
	"testing"

	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/report"
)

func TestASummaryOfAMapSaysWhatTableOneGainsAndWhereThePapersNumberIsReached(t *testing.T) {
	const head = `name = "t"
[groups]
a = ["bfs"]
[[variant]]
name = "v"
gpu = "gtx980"
[[figure]]
id = "m"
values = [0, 1]
labels = ["near", "far"]
series = [{ name = "few", y = "0.3 * x" }, { name = "many (table I)", y = "0.2 * x - 0.1" }]
`
	const ends = "On the machine of table I the gain is -10.0 %. Over the 4 machines of the map (row; column) it " +
		"ranges from -10.0 % (many (table I); near) to +30.0 % (few; far). "
	for text, want := range map[string]string{
		"kind = \"map\"\nmark = [{ y = 0.2, text = \"p\" }]": ends + "One of them has the paper's +20.0 % or more.",
		"kind = \"map\"\nmark = [{ y = 0.4, text = \"p\" }]": ends + "None of them has the paper's +40.0 %.",
		"kind = \"bar\"\n": "",
	} {
		s, err := study.Parse("map.toml", []byte(head+text))
		if err != nil {
			t.Fatal(err)
		}
		f, err := report.NewFigure(query.New(study.NewData(s, nil)), &s.Figures[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := summary(&s.Figures[0], f); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
