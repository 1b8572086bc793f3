package fingerprint_test

import (
	"strings"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/kernel/fingerprint"
	"kumiko/kernel/host"
)

func first(t *testing.T, name string, size benchmarks.Size, wrap func(host.Runner) host.Runner) string {
	t.Helper()
	a, err := benchmarks.Open(name)
	if err != nil || a == nil {
		t.Fatal(name, err)
	}
	p, err := a.New(size)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := fingerprint.First(p, wrap)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestEveryApplicationAndSizeHasAFingerprintOfItsOwn(t *testing.T) {
	seen := map[string]string{}
	for _, a := range benchmarks.List() {
		for _, size := range []benchmarks.Size{benchmarks.Test, benchmarks.Small} {
			sum := first(t, a.Name, size, nil)
			name := a.Name + " " + size.String()
			if old := seen[sum]; old != "" {
				t.Errorf("%s and %s have the same fingerprint", name, old)
			}
			seen[sum] = name
		}
	}
}

func TestTheFingerprintIsTheSameEachTimeAndDependsOnTheFootprint(t *testing.T) {
	a, b := first(t, "bfs", benchmarks.Test, nil), first(t, "bfs", benchmarks.Test, nil)
	if a != b {
		t.Errorf("%s and %s for the same program", a, b)
	}
	if c := first(t, "bfs", benchmarks.Test, benchmarks.Find("bfs").PaperRegisters); c == a {
		t.Error("the printed footprint does not change it")
	}
}

type empty struct{}

func (empty) Name() string             { return "empty" }
func (empty) Run(d *host.Device) error { return nil }

func TestAProgramThatLaunchesNothingIsRefused(t *testing.T) {
	if _, err := fingerprint.First(empty{}, nil); err == nil || !strings.Contains(err.Error(), "launches nothing") {
		t.Errorf("error %v", err)
	}
}
