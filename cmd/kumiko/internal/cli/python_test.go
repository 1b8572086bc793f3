package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python returns a folder in which python3 is an interpreter with pandas and matplotlib. The first one on the PATH
// may lack them where Debian's own has them.
func python(t *testing.T) (dir string) {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3", "/usr/local/bin/python3"} {
		path, err := exec.LookPath(name)
		if err != nil || exec.Command(path, "-c", "import pandas, matplotlib").Run() != nil {
			continue
		}
		dir := t.TempDir()
		text := "#!/bin/sh\nexec " + path + " \"$@\"\n"
		if err := os.WriteFile(filepath.Join(dir, "python3"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	t.Skip("no python3 has pandas and matplotlib")
	return ""
}

func TestTheCommandsOfThePageOfPythonRun(t *testing.T) {
	if testing.Short() {
		t.Skip("a study, and figures of it")
	}
	path := python(t)
	dir := t.TempDir()
	files, commands := readPage(t, "python.md", dir)
	if files != 5 || len(commands) != 6 {
		t.Fatalf("%d files and %d blocks of commands, want 5 and 6", files, len(commands))
	}
	out := shell(t, dir, commands, "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"),
		"MPLCONFIGDIR="+t.TempDir())
	if strings.Contains(out, "pyarrow is not installed") {
		t.Log("pyarrow is not installed: the Parquet file was not read")
	}
	for _, want := range []string{"sgemm on gtx980 with conventional", "geometric mean", "\n4 banks: "} {
		if !strings.Contains(out, want) {
			t.Errorf("output without %q:\n%s", want, out)
		}
	}
	wantWritten(t, dir, "banks.csv", "banks.parquet", "speedup.svg", "figures/speedup.svg")
}

// cells runs the cells of code of a notebook one after the other in one scope, as a kernel of Jupyter does.
const cells = `import json, sys
scope = {}
for c in json.load(open(sys.argv[1]))["cells"]:
    if c["cell_type"] == "code":
        exec(compile("".join(c["source"]), c["id"], "exec"), scope)
`

func TestTheCellsOfTheNotebookRun(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 is installed")
	}
	folder := absolute(t, filepath.Join(checkout, "python"))
	c := exec.Command(python, "-c", cells, filepath.Join(folder, "kumiko.ipynb"))
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "PYTHONPATH="+folder, "PYTHONDONTWRITEBYTECODE=1", "TMPDIR="+c.Dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{" passes of shared memory in the run\n", "4 banks of 16\n",
		"'base': 1.0, 'narrow': 0.", "6 points, ", "2 did you mean gtx980?"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("output without %q:\n%s", want, out)
		}
	}
}
