package app

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
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

func TestAReleaseIsNamedByTheTagOfItsRevision(t *testing.T) {
	for _, c := range []struct{ module, version, want string }{
		{ModulePath, "v0.2.0", "0.2.0"},
		{ModulePath, "v1.10.3-rc.1", "1.10.3-rc.1"},
		{ModulePath, "v0.2.0+dirty", "0.2.0"},
		{ModulePath, "v0.2.1-0.20261123055512-7ed44f8a1b2c", release}, // behind a tag
		{ModulePath, "(devel)", release},
		{ModulePath, "", release},
		{"example.org/windowed", "v3.0.0", release}, // another module's
	} {
		info := &debug.BuildInfo{Main: debug.Module{Path: c.module, Version: c.version}}
		if got := releaseOf(info); got != c.want {
			t.Errorf("%s %q: release %q, want %q", c.module, c.version, got, c.want)
		}
	}
}
