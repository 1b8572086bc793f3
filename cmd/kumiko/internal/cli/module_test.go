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
	script := absolute(t, filepath.Join(checkout, "scripts", "module"))
	copied := filepath.Join(t.TempDir(), "copy")
	if out, err := exec.Command("git", "clone", "-q", "--no-hardlinks", checkout, copied).CombinedOutput(); err != nil {
		t.Skipf("the checkout cannot be cloned: %v\n%s", err, out)
	}
	own := filepath.Join(copied, "scripts", "module")
	if err := os.WriteFile(own, content(t, script), 0o777); err != nil {
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

// The container is built where a container tool runs and has the image with Go: a test fetches nothing.
func TestTheContainerRunsKumiko(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a container")
	}
	tool := ""
	for _, name := range []string{"docker", "podman"} {
		if exec.CommandContext(t.Context(), name, "info").Run() == nil {
			tool = name
			break
		}
	}
	if tool == "" {
		t.Skip("neither docker nor podman runs here: the container was not built")
	}
	_, image, _ := strings.Cut(string(content(t, filepath.Join(checkout, "Dockerfile"))), "FROM ")
	image, _, _ = strings.Cut(image, " ")
	if exec.CommandContext(t.Context(), tool, "image", "inspect", image).Run() != nil {
		t.Skipf("%s has no image %s: the container was not built", tool, image)
	}
	build := exec.CommandContext(t.Context(), tool, "build", "-q", "-t", "kumiko-test", checkout)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out, err := exec.CommandContext(t.Context(), tool, "run", "--rm", "kumiko-test", "run", "vecadd", "--size",
		"test").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "vecadd on gtx980") {
		t.Errorf("%v\n%s", err, out)
	}
}
