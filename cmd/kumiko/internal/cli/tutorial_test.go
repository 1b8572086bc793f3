package cli_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
	version := goVersion.Find(content(t, filepath.Join(root, "go.mod")))
	if version == nil {
		t.Fatal("go.mod has no line of the Go version")
	}
	file := filepath.Join(t.TempDir(), "go.work")
	put(t, file, fmt.Sprintf("%s\n\nuse (\n\t%s\n\t%s\n)\n", version, root, module))
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
	wantWritten(t, dir, "collectors.html", "collectors.csv", "slow.html", "slow.json", "gtx980.svg",
		"windowed/windowed.html")
	if clang && strings.HasPrefix(compiler.Version, "19.") { // others may make other code
		sameAsCopied(t, dir, "tile.ptx", "padded.ptx")
	}
}

// The README's example of a kernel of one's own is the tutorial's, without a compiler.
func TestTheKernelThatTheREADMERunsIsTheTutorials(t *testing.T) {
	dir := t.TempDir()
	readPage(t, "tutorial.md", dir)
	root := absolute(t, checkout)
	sameAsCopied(t, dir, "tile.cu", "tile.toml")
	text := content(t, filepath.Join(root, "README.md"))
	command := regexp.MustCompile(`(?m)^bin/kumiko (run docs/.*?) *(?:#.*)?$`).FindSubmatch(text)
	if command == nil {
		t.Fatal("README.md runs no kernel of docs")
	}
	t.Chdir(root)
	if s, out, errs := inProcess(strings.Fields(string(command[1]))...); s != app.Done ||
		!strings.Contains(out, "check out: ok") {
		t.Errorf("%s: status %d\n%s%s", command[1], s, out, errs)
	}
}

func TestTheCyclesThatTheTutorialStatesAreThoseOfItsRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	text := content(t, filepath.Join(checkout, "docs", "tutorial.md"))
	folder, dir := filepath.Join(checkout, "docs", "tutorial"), t.TempDir()
	narrow := filepath.Join(dir, "narrow.toml")
	put(t, narrow, "base = \"gtx980\"\n[regfile.conventional]\ncollectors = 2\n")
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
		writing(t, append([]string{"run", filepath.Join(folder, c.kernel), "--launch",
			filepath.Join(folder, "tile.toml"), "--json", file}, c.flags...)...)
		var r result.Result
		decode(t, file, &r)
		cycles := r.Kernels[0].Cycles
		if want := fmt.Sprintf(c.states, fmt.Sprintf("%d,%03d", cycles/1000, cycles%1000)); !bytes.Contains(text,
			[]byte(want)) {
			t.Errorf("the tutorial does not state %q", want)
		}
	}
}

// sameAsCopied compares files of a folder with the copies in the documents.
func sameAsCopied(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		copied := filepath.Join(checkout, "docs", "tutorial", name)
		if !bytes.Equal(content(t, filepath.Join(dir, name)), content(t, copied)) {
			t.Errorf("docs/tutorial/%s is another", name)
		}
	}
}
