package cli_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
)

func TestOutsideACheckoutNewSaysWhichFlagsNameOneAndWriteAModule(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, what := range []string{"block", "design"} {
		for _, more := range [][]string{nil, {"--module", "example.org/mine"}} {
			status, _, said := inProcess(append([]string{"new", what, "mine"}, more...)...)
			if status != app.BadInput || !strings.HasPrefix(said, "the working directory is no checkout") ||
				!strings.Contains(said, "name it with --kumiko DIR; with --module PATH too") {
				t.Errorf("new %s %v: status %d, %q", what, more, status, said)
			}
		}
		if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
			t.Errorf("new %s left %v, %v", what, files, err)
		}
	}
}

func TestABlockOfEachKindPassesItsTestInAFreshModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	root := absolute(t, checkout)
	t.Chdir(t.TempDir())
	for _, kind := range []string{"arbiter", "bank"} {
		name := "own-" + kind
		writing(t, "new", "block", name, "--kind", kind, "--module", "example.org/"+name, "--kumiko", root)
		dir := absolute(t, name)
		c := exec.Command("go", "test", "-v", "-vet=off", ".")
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK="+workspace(t, root, dir))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", kind, err, out)
		}
	}
}
