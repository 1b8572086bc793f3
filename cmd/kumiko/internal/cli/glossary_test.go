package cli

import (
	"os"
	"strings"
	"testing"
)

func TestTheGlossaryIsUpToDate(t *testing.T) {
	var out, errs strings.Builder
	a := App{Stdout: &out, Stderr: &errs, New: Assemble}
	if status := a.Main([]string{"list", "stats", "--format", "markdown"}); status != Done {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	have, err := os.ReadFile("../../../../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(out.String(), "\n")
	old := strings.Split(string(have), "\n")
	for i := range max(len(got), len(old)) {
		if i >= len(got) || i >= len(old) || got[i] != old[i] {
			t.Fatalf("docs/statistics.md differs from the registry in line %d; run: go generate "+
				"./cmd/kumiko/internal/cli", i+1)
		}
	}
}
