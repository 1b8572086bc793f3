package study

import (
	"os"
	"strings"
	"testing"

	"kumiko/study/record"
)

func mustKey(t *testing.T, s *Spec, p *record.Point) string {
	t.Helper()
	key, err := s.Keys().Key(p)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// put writes a file.
func put[T string | []byte](t testing.TB, file string, data T) {
	t.Helper()
	if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestKeysDependOnWhatDeterminesARecordAndOnNothingElse(t *testing.T) {
	base := parse(t, head+plainVariant)
	of := func(s *Spec, change func(p *record.Point)) string {
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
		of(base, func(p *record.Point) { p.Perturb = 1 }), of(base, func(p *record.Point) { p.Benchmark = "bfs" }),
		of(base, func(p *record.Point) { p.Size = "small" }), of(base, func(p *record.Point) { p.Registers = "paper" }),
		of(parse(t, strings.Replace(head+plainVariant, "slice.sms=2", "slice.sms=3", 1)), nil),
		of(parse(t, "profile = true\n"+head+plainVariant), nil),
	} {
		if seen[got] {
			t.Errorf("change %d gives a key that another point has", i)
		}
		seen[got] = true
	}
}

func TestAStudyNamesAKernelByItsBenchmarkAndItself(t *testing.T) {
	s := &Spec{text: `values = ["bfs/k", "xsgemm/k"]`}
	for name, want := range map[string]bool{"bfs": true, "sgemm": false, "fs": false} {
		if got := s.NamesKernel(name, "k"); got != want {
			t.Errorf("%s: found %v, want %v", name, got, want)
		}
	}
}
