package cli

import (
	"bytes"
	"testing"
)

func TestAFlagsMistakeIsSaidInOneLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"occupancy", "--block", "abc", "--registers", "3"}, "--block: found \"abc\", expected an integer\n"},
		{[]string{"study", "status", "quick", "--waves", "some"}, "--waves: found \"some\", expected a number\n"},
		{[]string{"inspect", "sgemm", "--cfg=maybe"}, "--cfg: found \"maybe\", expected true or false\n"},
		{[]string{"inspect", "sgemm", "--cfg", "--liveness"}, "--cfg and --liveness: expected one of them alone\n"},
		{[]string{"study", "report", "quick", "-o"}, "flag needs an argument: 'o' in -o\n"},
	} {
		var out, errs bytes.Buffer
		status := (&App{Stdout: &out, Stderr: &errs}).Main(c.args)
		if status != BadInput || errs.String() != c.want || out.Len() != 0 {
			t.Errorf("%q: status %d, %q, expected %q", c.args, status, errs.String(), c.want)
		}
	}
}
