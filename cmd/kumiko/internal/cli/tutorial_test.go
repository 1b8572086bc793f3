package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A block of the tutorial: commands, or a file that the line before it names.
var (
	tutorialBlock = regexp.MustCompile("(?ms)^(?:[^\n]*Write `([^`\n]+)`:\n\n)?```(sh|toml|cuda)\n(.*?)^```$")
	ofClang       = regexp.MustCompile(`(?m)^clang-19 .*-o (\S+)$`)
)

// The commands run in one folder beside the checkout, in one shell, one after the other.
func TestTheTutorialsCommandsRun(t *testing.T) {
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
		script = append(script, body)
	}
	if files != 4 || commands < 10 {
		t.Fatalf("%d files and %d blocks of commands, want 4 and at least 10", files, commands)
	}
	c := exec.Command("bash", "-c", strings.Join(script, "\n"))
	c.Dir = dir
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
