//go:build unix

package main

import (
	"strings"
	"testing"
)

func TestTheLeastTimeAndTheMostMemoryOfARunCount(t *testing.T) {
	var r row
	for _, c := range []cost{{3, 10}, {2, 30}, {4, 20}} {
		r.add(1, c)
	}
	if want := (cost{2, 30}); r.cost[1] != want || r.cost[0] != (cost{}) {
		t.Errorf("%+v, want %+v for the head alone", r.cost, want)
	}
}

func TestTheLastRowHasGeometricMeans(t *testing.T) {
	var b strings.Builder
	write(&b, []row{{"a", [2]cost{{4, 10}, {1, 10}}}, {"b", [2]cost{{1, 10}, {1, 40}}}})
	if want := "| geometric mean | | | 2.00 | | | 2.00 |\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("the table ends otherwise than in %q:\n%s", want, b.String())
	}
}

func TestARunThatFailsIsAnErrorWithItsComplaint(t *testing.T) {
	_, err := measure("sh", "-c", "echo no such thing >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "no such thing") ||
		!strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v, want the exit status and the complaint", err)
	}
}
