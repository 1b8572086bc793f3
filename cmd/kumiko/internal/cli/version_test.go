package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The test's own program has no revision.
func TestAVersionWithoutARevisionNamesTheBuild(t *testing.T) {
	rest, ok := strings.CutPrefix(Version(), release+".")
	if !ok || len(rest) != buildDigits {
		t.Errorf("version %q, want %s and %d letters", Version(), release, buildDigits)
	}
}

func TestProgramsThatDifferInAByteAreDifferentBuilds(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program")
	seen := map[string]bool{}
	for i := range 3 {
		if err := os.WriteFile(file, append(data, bytes.Repeat([]byte{0}, i)...), 0o755); err != nil {
			t.Fatal(err)
		}
		h := hashed(file)
		if len(h) != buildDigits || seen[h] {
			t.Errorf("build %d is %q, which is not its own", i, h)
		}
		seen[h] = true
	}
	if hashed(filepath.Join(t.TempDir(), "none")) != "" {
		t.Error("a program that is not there has a hash")
	}
}
