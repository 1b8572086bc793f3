package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryPresetStatesWhatItIsMeantFor(t *testing.T) {
	designs, err := Designs()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]string{}
	for _, d := range designs {
		if d.Meant == "" {
			t.Errorf("%s states nothing", d.Name)
		}
		if other, twice := by[d.Meant]; twice {
			t.Errorf("%s and %s are meant for the same", other, d.Name)
		}
		by[d.Meant] = d.Name
	}
	if len(designs) < 30 {
		t.Errorf("%d presets, want at least 30", len(designs))
	}
}

func TestAConfigurationHasTheStatementsOfItsPresets(t *testing.T) {
	meant := func(design string, set ...string) string {
		t.Helper()
		c, err := Load(Request{GPU: "gtx980", Design: design, Set: set})
		if err != nil {
			t.Fatal(err)
		}
		return c.Meant
	}
	want := "rfc: " + meant("rfc") + "; sharing: " + meant("sharing")
	if got := meant("rfc+sharing"); got != want || len(want) < 40 {
		t.Errorf("%q, want %q", got, want)
	}
	if got := meant("rfc", "regfile.residency=sharing") + meant(""); got != "" {
		t.Errorf("%q without a preset", got)
	}
	file := filepath.Join(t.TempDir(), "g.toml")
	if err := os.WriteFile(file, []byte("base = \"gtx980\"\nmeant = \"nothing\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Request{GPU: file}); err == nil || !strings.Contains(err.Error(), ":2:9: meant: found in a GPU") {
		t.Errorf("a GPU with a statement: %v", err)
	}
}
