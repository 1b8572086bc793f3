package run

import (
	"kumiko/cmd/kumiko/internal/cli/app"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTwoOutputsThatAreOneFileAreRefused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("real", 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"linked": "real", "file": "real/target"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	if err := os.WriteFile("real/target", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"--json a --html a", "--json a and --html a: both are "},
		{"--json a --html ./x/../a", "both are "},
		{"--json a --timeline " + filepath.Join(dir, "a"), "both are "},
		{"--akita-trace a --timeline a", "both are "},
		{"--json real/a --html linked/a", "--json real/a and --html linked/a: both are "},
		{"--json file --html real/target", "both are "},
		{"--out o --json o/result.json", "--json o/result.json and the result.json of --out o: both are "},
		{"--out o --json o", "--json o and --out o: both are "},
		{"--out o/p --json o", "a file cannot be in another"},
		{"--record o --html o", "--html o and --record o: both are "},
		{"--record o --html o/kernelslist.g",
			"--html o/kernelslist.g: the recording writes or removes files of that name in o"},
		{"--record o --html o/kernel-12.traceg", "the recording writes or removes"},
		{"--record o --out o/incomplete", "the recording writes or removes"},
	} {
		s := &stub{}
		status, out, errs := runStub(t, s, append([]string{"vecadd", "--size", "test"}, strings.Fields(c.args)...)...)
		if status != app.BadInput || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") != 1 || out != "" ||
			s.kernels != nil {
			t.Errorf("%s: status %d, %d launches, %q; want %q", c.args, status, len(s.kernels), errs, c.want)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != 3 {
		t.Errorf("left behind: %v", left)
	}
}

func TestOutputsThatAreNotOneFileAreNot(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range []string{"--json a --html b", "--json /dev/null --html /dev/null",
		"--out o --json o/other.json --record o", "--json - --html a", "--out o --record o/rec"} {
		if status, _, errs := runStub(t, &stub{},
			append([]string{"vecadd", "--size", "test"}, strings.Fields(args)...)...); status != app.CheckFailed {
			t.Errorf("%s: status %d, %s", args, status, errs)
		}
	}
}
