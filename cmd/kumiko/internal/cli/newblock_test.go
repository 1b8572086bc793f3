package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestABlockOfEachKindPassesItsTestInAFreshModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	root, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, kind := range []string{"arbiter", "bank"} {
		name := "own-" + kind
		written(t, "new", "block", name, "--kind", kind, "--module", "example.org/"+name, "--kumiko", root)
		dir, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("go", "test", "-v", "-vet=off", ".")
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK="+workspace(t, root, dir))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", kind, err, out)
		}
	}
}
