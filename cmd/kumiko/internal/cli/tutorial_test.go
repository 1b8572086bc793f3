package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A block of the tutorial: commands, or a file named in the line before.
var (
	tutorialBlock = regexp.MustCompile("(?ms)^(?:[^\n]*Write `([^`\n]+)`:\n\n)?```(sh|toml|cuda)\n(.*?)^```$")
	goVersion     = regexp.MustCompile(`(?m)^go \S+$`)
	ofClang       = regexp.MustCompile(`(?m)^clang-19 .*-o (\S+)$`)
)

// workspace writes a workspace of the checkout and a module beside it. The module's own go.mod replaces kumiko by a
// folder, and packages of a replaced module would be compiled anew. Packages of a workspace are already compiled
// for these tests.
func workspace(t *testing.T, root, module string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := goVersion.Find(text)
	if version == nil {
		t.Fatal("go.mod has no line of the Go version")
	}
	file := filepath.Join(t.TempDir(), "go.work")
	work := fmt.Sprintf("%s\n\nuse (\n\t%s\n\t%s\n)\n", version, root, module)
	if err := os.WriteFile(file, []byte(work), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// The commands run in one folder beside the checkout, in one shell, one after the other.
func TestTheTutorialsCommandsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	text, err := os.ReadFile(filepath.Join(checkout, "docs", "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(root, filepath.Join(dir, "kumiko")); err != nil {
		t.Fatal(err)
	}
	_, err = exec.LookPath("clang-19")
	clang := err == nil
	script := []string{"set -euo pipefail"}
	files, commands := 0, 0
	for _, m := range tutorialBlock.FindAllStringSubmatch(string(text), -1) {
		name, language, body := m[1], m[2], m[3]
		if language != "sh" {
			if name == "" {
				t.Fatalf("a block of %s whose file is not named:\n%s", language, body)
			}
			files++
			if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !clang {
			body = ofClang.ReplaceAllString(body, "cp kumiko/docs/tutorial/$1 $1")
		}
		if testing.Short() && strings.Contains(body, "go build") {
			continue
		}
		commands++
		// Without the workspace, the module's own go.mod must cover all imports.
		script = append(script, strings.Replace(body, "go build", "GOWORK=off go list -deps . >/dev/null\ngo build", 1))
	}
	if files != 4 || commands < 10 {
		t.Fatalf("%d files and %d blocks of commands, want 4 and at least 10", files, commands)
	}
	c := exec.Command("bash", "-c", strings.Join(script, "\n"))
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK="+workspace(t, root, filepath.Join(dir, "windowed")))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	written := []string{"banks.html", "banks.csv", "slow.html", "slow.json", "gtx980.svg",
		"windowed/windowed.html"}
	if testing.Short() {
		written = written[:len(written)-1]
	}
	for _, name := range written {
		if s, err := os.Stat(filepath.Join(dir, name)); err != nil || s.Size() < 500 {
			t.Errorf("%s was not written, or is empty: %v", name, err)
		}
	}
}
