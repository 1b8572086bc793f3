package study

import (
	"strings"
	"testing"
)

func mustKey(t *testing.T, s *Spec, p *Point) string {
	t.Helper()
	key, err := s.Keys().Key(p)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestKeysDependOnWhatDeterminesARecordAndOnNothingElse(t *testing.T) {
	base := parse(t, head+plainVariant)
	of := func(s *Spec, change func(p *Point)) string {
		p := s.Points(0)[0]
		if change != nil {
			change(&p)
		}
		return mustKey(t, s, &p)
	}
	want := of(base, nil)
	if got := of(parse(t, strings.Replace(head+plainVariant, "name = \"v\"",
		"name = \"other\"\ndesign = \"conventional\"", 1)), nil); got != want {
		t.Error("the variant's name changes the key")
	}
	seen := map[string]bool{want: true}
	for i, got := range []string{
		of(base, func(p *Point) { p.Perturb = 1 }), of(base, func(p *Point) { p.Benchmark = "bfs" }),
		of(base, func(p *Point) { p.Size = "small" }), of(base, func(p *Point) { p.Registers = "paper" }),
		of(parse(t, strings.Replace(head+plainVariant, "slice.sms=2", "slice.sms=3", 1)), nil),
	} {
		if seen[got] {
			t.Errorf("change %d gives a key that another point has", i)
		}
		seen[got] = true
	}
}
