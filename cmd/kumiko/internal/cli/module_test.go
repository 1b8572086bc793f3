package cli_test

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The go command finds every import of every package, tests included, in a copy of the last commit.
func TestTheModuleIsRenamedWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("copies the checkout and lists all packages")
	}
	script, err := filepath.Abs(filepath.Join(checkout, "scripts", "module"))
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy")
	if out, err := exec.Command("git", "clone", "-q", "--no-hardlinks", checkout, copied).CombinedOutput(); err != nil {
		t.Skipf("the checkout cannot be cloned: %v\n%s", err, out)
	}
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(copied, "scripts", "module")
	if err := os.WriteFile(own, text, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(own, "example.org/me/kumiko").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list := exec.Command("go", "list", "-test", "./...")
	list.Dir = copied
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "example.org/me/kumiko/") {
			t.Errorf("found the package %s", line)
		}
	}
	if len(bytes.Fields(out)) < 100 {
		t.Errorf("only %d packages", len(bytes.Fields(out)))
	}
	goCommand(t, copied, "test", "-vet=off", "./components/storage", "./internal/tomldoc")
}

// The program of this platform has been compiled by other tests, with other flags of the linker.
func TestAReleaseIsAStaticProgramWithItsChecksum(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	out := t.TempDir()
	script := exec.Command(filepath.Join(checkout, "scripts", "release.sh"), out, runtime.GOOS+"/"+runtime.GOARCH)
	script.Env = append(os.Environ(), "GOFLAGS=-pgo=off", "RELEASE_FLAGS=")
	if text, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	sum := exec.Command("sha256sum", "-c", "SHA256SUMS")
	sum.Dir = out
	if text, err := sum.CombinedOutput(); err != nil {
		t.Errorf("checksums: %v\n%s", err, text)
	}
	program := filepath.Join(out, "kumiko-"+runtime.GOOS+"-"+runtime.GOARCH)
	if f, err := elf.Open(program); err == nil { // of Linux
		if f.Section(".interp") != nil {
			t.Error("the program needs a loader of shared libraries")
		}
		f.Close()
	}
	if text, err := exec.Command(program, "version").CombinedOutput(); err != nil ||
		!strings.HasPrefix(string(text), "kumiko ") {
		t.Errorf("%s, %v", text, err)
	}
}
