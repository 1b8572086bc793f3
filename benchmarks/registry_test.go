package benchmarks_test

import (
	"strings"
	"testing"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
)

func TestEveryApplicationMakesItsSmallSizes(t *testing.T) {
	for _, app := range benchmarks.List() {
		for _, size := range []benchmarks.Size{benchmarks.Test, benchmarks.Small, benchmarks.Study} {
			if _, err := app.New(size); err != nil {
				t.Errorf("%s at size %v: %v", app.Name, size, err)
			}
		}
	}
}

func TestNamesAndAliasesAreFoundInAnyCase(t *testing.T) {
	for _, app := range benchmarks.List() {
		for _, name := range append(app.Aliases, app.Name) {
			for _, spelling := range []string{name, strings.ToUpper(name), strings.ToLower(name)} {
				if got := benchmarks.Find(spelling); got != app {
					t.Errorf("Find(%q) is %v, expected %s", spelling, got, app.Name)
				}
			}
		}
	}
	if got := benchmarks.Find("no such application"); got != nil {
		t.Errorf("found %s", got.Name)
	}
}
