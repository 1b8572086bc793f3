package launch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// example is a launch file of docs/launch-files.md, and its error; "": none.
type example struct{ title, text, err string }

// linked matches a link to a PTX file.
var linked = regexp.MustCompile(`\[(\w+\.ptx)\]\(([^)]+)\)`)

// examples reads the launch files of the page, and the PTX files to which it links.
func examples(t *testing.T) (list []example, files map[string]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "launch-files.md"))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, m := range linked.FindAllStringSubmatch(string(page), -1) {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", m[2]))
		if err != nil {
			t.Fatal(err)
		}
		files[m[1]] = string(text)
	}
	title, block := "", ""
	var lines []string
	for _, line := range strings.Split(string(page), "\n") {
		kind, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && kind != "":
			block, lines = kind, nil
		case fence:
			text := strings.Join(lines, "\n")
			switch block {
			case "toml":
				list = append(list, example{title: title, text: text})
			case "text":
				list[len(list)-1].err = text
			}
			block = ""
		case block != "":
			lines = append(lines, line)
		case strings.HasPrefix(line, "### "):
			title = line[4:]
		}
	}
	return list, files
}

func TestTheExamplesOfThePageDoWhatItSays(t *testing.T) {
	list, files := examples(t)
	if len(list) < 20 || len(files) != 2 {
		t.Fatalf("found %d examples and %d PTX files, expected at least 20 and 2", len(list), len(files))
	}
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := ptx.Parse("kernels.ptx", []byte(files["kernels.ptx"]))
	if err != nil || len(m.Refused) > 0 {
		t.Fatal(err, m.Refused)
	}
	for _, e := range list { // in order: one reads what another saved
		err := e.run(m)
		if err == nil && e.err != "" || err != nil && err.Error() != e.err {
			t.Errorf("%s: got\n%v\nwant\n%s", e.title, err, e.err)
		}
	}
}

// run runs the example's machine code and writes its saves into the working folder.
func (e *example) run(m *ir.Module) error {
	if err := os.WriteFile("launch.toml", []byte(e.text), 0o644); err != nil {
		return err
	}
	p, err := launch.Load("launch.toml", m)
	if err != nil {
		return err
	}
	dev := &mem.Memory{}
	r := &emu.Runner{Mem: dev, Compile: func(l *host.Launch) (*ir.Kernel, error) {
		return compiler.Compile(l.Module.Kernel(l.Kernel), compiler.Options{})
	}}
	if err := p.Run(&host.Device{Mem: dev, Runner: r}); err != nil {
		return err
	}
	return p.WriteSaves(".")
}

func TestEverySuccessfulExampleHasAnExpectation(t *testing.T) {
	list, _ := examples(t)
	titles := map[string]bool{}
	for _, e := range list {
		if e.err == "" && !strings.Contains(e.text, "[[expect]]") {
			t.Errorf("%s: found no [[expect]]", e.title)
		}
		if titles[e.title] {
			t.Errorf("%s: found two examples under this title", e.title)
		}
		titles[e.title] = true
	}
	if len(titles) == 0 {
		t.Error("found no example")
	}
}
