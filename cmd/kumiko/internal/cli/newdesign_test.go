package cli_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goCommand runs the go command in a folder.
func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// write runs kumiko new design.
func write(t *testing.T, args ...string) {
	t.Helper()
	writing(t, append([]string{"new", "design"}, args...)...)
}

const checkout = "../../../.."

// The command works on copies of two files of the checkout. The written files are overlaid on the checkout, so the
// checkout stays unchanged.
func TestADesignWithinTheTreePassesItsTestsAndIsLinked(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	root := absolute(t, checkout)
	copied := t.TempDir()
	for _, name := range []string{"go.mod", "regfile/designs/designs.go"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(copied, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(copied, name), string(content(t, filepath.Join(root, name))))
	}
	write(t, "near-reads", "--kumiko", copied)
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	err := filepath.WalkDir(filepath.Join(copied, "regfile"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(copied, file)
		overlay.Replace[filepath.Join(root, rel)] = file
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	put(t, file, string(text))
	// vet and the test itself would run in a folder that does not exist
	binary := filepath.Join(t.TempDir(), "near-reads.test")
	goCommand(t, root, "test", "-c", "-vet=off", "-overlay", file, "-o", binary, "./regfile/near-reads")
	if out, err := exec.Command(binary).CombinedOutput(); err != nil {
		t.Fatalf("tests of the design: %v\n%s", err, out)
	}
	program := filepath.Join(t.TempDir(), "kumiko")
	goCommand(t, root, "build", "-pgo=off", "-overlay", file, "-o", program, "./cmd/kumiko")
	run := exec.Command(program, "run", "vecadd", "--size", "test", "--set", "slice.sms=2", "--design", "near-reads",
		"--check", "--json", "-")
	out, err := run.Output()
	if err != nil {
		t.Fatalf("a run with the design: %v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte(`"regfile.near-reads.reads":`)) {
		t.Errorf("the run does not count the block's reads:\n%.2000s", out)
	}
}

// Tests, settings files and the program of a module are not counted.
func TestADesignTakesTwoHundredLinesOfGoAtMost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "windowed")
	write(t, "windowed", "--module", "example.org/windowed", "--kumiko", checkout, "--dir", dir)
	files, err := filepath.Glob(filepath.Join(dir, "windowed", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			lines += bytes.Count(content(t, file), []byte("\n"))
		}
	}
	if len(files) != 5 || lines == 0 || lines > 200 {
		t.Errorf("%d lines in %d files, want at most 200, and tests, in 5", lines, len(files))
	}
}
