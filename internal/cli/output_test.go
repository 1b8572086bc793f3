package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheResultReplacesNoFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "result.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--out", dir}, {"--json", filepath.Join(dir, "result.json")}, {"--json", dir + "/"}} {
		s := &stub{}
		status, out, errs := runStub(t, s, append([]string{"vecadd", "--size", "test"}, args...)...)
		if status != BadInput || !strings.Contains(errs, "is a folder, expected a file") || strings.Count(errs, "\n") != 1 || out != "" || s.kernels != nil {
			t.Errorf("%v: status %d, %d launches, %q", args, status, len(s.kernels), errs)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// Run as root, a rename over /dev/null would replace the device for everybody.
func TestWhatIsNoFileIsWrittenTo(t *testing.T) {
	write := func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }
	if err := writeFile(os.DevNull, write); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is no device any more: %v, %v", os.DevNull, info.Mode(), err)
	}
}

func TestALinkToAFileStaysALink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	if err := writeFile(link, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "new" {
		t.Errorf("the file has %q, %v", got, err)
	}
}
