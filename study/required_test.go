package study

import (
	"testing"

	"kumiko/study/record"
)

func TestARecordWithFewWavesCountsOnceItsProgramIsExempt(t *testing.T) {
	const head = "name = \"t\"\nwaves = 3\n[groups]\nall = [\"bfs\"]\n" + plainVariant
	waves := 2.0
	r := &record.Record{Point: record.Point{Variant: "v", Benchmark: "bfs"}, Waves: &waves}
	for text, short := range map[string]bool{
		head: true,
		head + "[[waves_exempt]]\nbenchmark = \"bfs\"\nreason = \"small\"\n":                     false,
		head + "[[waves_exempt]]\nbenchmark = \"bfs\"\nkernel = \"visit\"\nreason = \"small\"\n": true,
	} {
		s, err := Parse("t.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.Short(r) != short {
			t.Errorf("%s: a record of 2 waves is short: %v, want %v", text, !short, short)
		}
	}
}
