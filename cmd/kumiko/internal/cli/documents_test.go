package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cuda"
)

// pageBlock matches a block of a page: commands, or a file named in the line before.
var pageBlock = regexp.MustCompile("(?ms)^(?:[^\n]*[Ww]rite `([^`\n]+)`[^\n]*:\n\n|[^\n]*and `([^`\n]+)`[^\n]*:\n\n)?" +
	"```(sh|toml|cuda|python)\n(.*?)^```$")

// readPage writes the files of a page of the documents into a folder. It returns their number, and the blocks of
// commands.
func readPage(t *testing.T, page, dir string) (files int, commands []string) {
	t.Helper()
	text := content(t, filepath.Join(checkout, "docs", page))
	for _, m := range pageBlock.FindAllStringSubmatch(string(text), -1) {
		name, language, body := m[1]+m[2], m[3], m[4]
		if language == "sh" {
			commands = append(commands, body)
			continue
		}
		if name == "" {
			t.Fatalf("a block of %s whose file is not named:\n%s", language, body)
		}
		files++
		put(t, filepath.Join(dir, name), body)
	}
	return files, commands
}

// wantWritten expects files that the commands have written, with content.
func wantWritten(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if s, err := os.Stat(filepath.Join(dir, name)); err != nil || s.Size() < 500 {
			t.Errorf("%s was not written, or is empty: %v", name, err)
		}
	}
}

// linked links the checkout into a folder as kumiko, and returns its path.
func linked(t *testing.T, dir string) string {
	t.Helper()
	root := absolute(t, checkout)
	if err := os.Symlink(root, filepath.Join(dir, "kumiko")); err != nil {
		t.Fatal(err)
	}
	return root
}

// shell runs commands in a folder, one after the other, and returns their output.
func shell(t *testing.T, dir string, commands []string, env ...string) string {
	t.Helper()
	c := exec.Command("bash", "-c", "set -euo pipefail\n"+strings.Join(commands, "\n"))
	c.Dir = dir
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestTheCommandsOfThePageOfCUDARun(t *testing.T) {
	if _, err := cuda.Find(t.Context()); err != nil {
		t.Skip("no clang is installed")
	}
	dir := t.TempDir()
	files, commands := readPage(t, "cuda.md", dir)
	if files != 2 || len(commands) != 1 {
		t.Fatalf("%d files and %d blocks of commands, want 2 and 1", files, len(commands))
	}
	out := shell(t, dir, commands)
	if !strings.Contains(out, "check y: ok") {
		t.Errorf("output %s", out)
	}
	wantWritten(t, dir, "saxpy.ptx", "saxpy80.ptx")
}

func TestTheCommandsOfThePageOfApplicationsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("an application is compiled and runs four times")
	}
	if _, err := cuda.Find(t.Context()); err != nil {
		t.Skip("no clang is installed")
	}
	dir := t.TempDir()
	files, commands := readPage(t, "applications.md", dir)
	if files != 4 || len(commands) != 1 {
		t.Fatalf("%d files and %d blocks of commands, want 4 and 1", files, len(commands))
	}
	out := shell(t, dir, commands, "XDG_CACHE_HOME="+t.TempDir())
	// The mean is that of the same loop in C, without a GPU.
	if n := strings.Count(out, "64 x 64, 40 steps: mean 4.8474, no error\n"); n != 4 {
		t.Errorf("the application printed its line %d times, want 4, in\n%s", n, out)
	}
	tables := regexp.MustCompile(`(?m)^step x 40 .*`).FindAllString(out, -1)
	if len(tables) != 3 || tables[1] != tables[2] || tables[0] == tables[1] {
		t.Errorf("the results are %q, want three, and the recording's equal to those of its application", tables)
	}
	if !strings.Contains(out, "check memory after launches: ok\n") {
		t.Errorf("the recording was not checked, in\n%s", out)
	}
	for _, line := range []string{`heat\.kumiko +step +40 +4 x 4 +16 x 16 +`, `heat\.kumiko +[0-9.]+ +[0-9.]+ +[0-9.]+$`} {
		if !regexp.MustCompile("(?m)^" + line).MatchString(out) {
			t.Errorf("no line %s in\n%s", line, out)
		}
	}
	wantWritten(t, dir, "conventional.json", "rfc.json", "heat.html")
}
