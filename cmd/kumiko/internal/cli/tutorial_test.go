package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/gpus/result"
)

var (
	goVersion = regexp.MustCompile(`(?m)^go \S+$`)
	ofClang   = regexp.MustCompile(`(?m)^kumiko compile .*-o (\S+)$`)
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
	dir := t.TempDir()
	root := linked(t, dir)
	files, blocks := readPage(t, "tutorial.md", dir)
	if files != 4 || len(blocks) < 10 {
		t.Fatalf("%d files and %d blocks of commands, want 4 and at least 10", files, len(blocks))
	}
	compiler, err := cuda.Find(t.Context())
	clang := err == nil
	if !clang {
		t.Log("no clang is installed: the test copies the PTX of docs/tutorial, and kumiko compile is skipped")
	}
	var script []string
	for _, body := range blocks {
		if !clang {
			body = ofClang.ReplaceAllString(body, "cp kumiko/docs/tutorial/$1 $1")
			body = strings.ReplaceAll(body, "tile.cu", "tile.ptx")
		}
		// Without the workspace, the module's own go.mod must cover all imports.
		script = append(script, strings.Replace(body, "go build", "GOWORK=off go list -deps . >/dev/null\ngo build", 1))
	}
	shell(t, dir, script, "GOWORK="+workspace(t, root, filepath.Join(dir, "windowed")))
	written := []string{"collectors.html", "collectors.csv", "slow.html", "slow.json", "gtx980.svg",
		"windowed/windowed.html"}
	for _, name := range written {
		if s, err := os.Stat(filepath.Join(dir, name)); err != nil || s.Size() < 500 {
			t.Errorf("%s was not written, or is empty: %v", name, err)
		}
	}
	if clang && strings.HasPrefix(compiler.Version, "19.") { // others may make other code
		sameAsCopied(t, dir)
	}
}

// The README's example of a kernel of one's own is the tutorial's, without a compiler.
func TestTheKernelThatTheREADMERunsIsTheTutorials(t *testing.T) {
	dir := t.TempDir()
	readPage(t, "tutorial.md", dir)
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tile.cu", "tile.toml"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(root, "docs", "tutorial", name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/tutorial/%s is not the page's: %v", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`(?m)^bin/kumiko (run docs/.*?) *(?:#.*)?$`).FindSubmatch(text)
	if command == nil {
		t.Fatal("README.md runs no kernel of docs")
	}
	t.Chdir(root)
	var out, errs bytes.Buffer
	p := cli.App{New: app.Assemble, Version: "test", Stdout: &out, Stderr: &errs}
	s := p.Main(strings.Fields(string(command[1])))
	if s != app.Done || !strings.Contains(out.String(), "check out: ok") {
		t.Errorf("%s: status %d\n%s%s", command[1], s, out.String(), errs.String())
	}
}

func TestTheCyclesThatTheTutorialStatesAreThoseOfItsRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	text, err := os.ReadFile(filepath.Join(checkout, "docs", "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	folder, dir := filepath.Join(checkout, "docs", "tutorial"), t.TempDir()
	narrow := filepath.Join(dir, "narrow.toml")
	gpu := "base = \"gtx980\"\n[regfile.conventional]\ncollectors = 2\n"
	if err := os.WriteFile(narrow, []byte(gpu), 0o666); err != nil {
		t.Fatal(err)
	}
	slice := []string{"--set", "slice.sms=4"}
	for _, c := range []struct {
		kernel, states string
		flags          []string
	}{
		{"tile.ptx", "The launch takes %s cycles", nil},
		{"tile.ptx", "On a quarter of the machine it takes %s cycles", slice},
		{"padded.ptx", "cycles become %s.", slice},
		{"padded.ptx", "the kernel takes %s cycles", append([]string{"--gpu", narrow}, slice...)},
	} {
		file := filepath.Join(dir, "run.json")
		var out, errs bytes.Buffer
		p := cli.App{New: app.Assemble, Version: "test", Stdout: &out, Stderr: &errs}
		if s := p.Main(append([]string{"run", filepath.Join(folder, c.kernel), "--launch",
			filepath.Join(folder, "tile.toml"), "--json", file}, c.flags...)); s != app.Done {
			t.Fatalf("%s: status %d: %s", c.kernel, s, errs.String())
		}
		var r result.Result
		if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, &r) != nil {
			t.Fatal("no result", err)
		}
		cycles := r.Kernels[0].Cycles
		if want := fmt.Sprintf(c.states, fmt.Sprintf("%d,%03d", cycles/1000, cycles%1000)); !bytes.Contains(text,
			[]byte(want)) {
			t.Errorf("the tutorial does not state %q", want)
		}
	}
}

// sameAsCopied compares the PTX made by the commands with the copies in the documents.
func sameAsCopied(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"tile.ptx", "padded.ptx"} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(checkout, "docs", "tutorial", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("docs/tutorial/%s is not what the commands make", name)
		}
	}
}
