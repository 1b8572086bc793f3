package acceptance

import (
	"bytes"
	"flag"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
)

var mutants = flag.Int("mutants", 2, "mutilated copies of each program to run")

// mutilate changes a few places of a text: a line dropped, doubled or swapped with another, a word replaced by
// another one of the text, a byte changed, or the end cut off.
func mutilate(rng *rand.Rand, text []byte) []byte {
	lines := bytes.SplitAfter(bytes.Clone(text), []byte("\n"))
	for range 1 + rng.Intn(3) {
		i, j := rng.Intn(len(lines)), rng.Intn(len(lines))
		switch rng.Intn(6) {
		case 0:
			lines[i] = nil
		case 1:
			lines[i] = append(bytes.Clone(lines[j]), lines[i]...)
		case 2:
			lines[i], lines[j] = lines[j], lines[i]
		case 3:
			to, from := bytes.Fields(lines[i]), bytes.Fields(lines[j])
			if len(to) > 0 && len(from) > 0 {
				lines[i] = bytes.Replace(lines[i], to[rng.Intn(len(to))], from[rng.Intn(len(from))], 1)
			}
		case 4:
			if n := len(lines[i]); n > 0 {
				lines[i][rng.Intn(n)] = byte(rng.Intn(256))
			}
		case 5:
			if rng.Intn(8) == 0 {
				lines = lines[:i+1]
			}
		}
	}
	return bytes.Join(lines, nil)
}

// A mutilated program is refused with a place in it, or runs, or stops. A panic would fail the test.
func TestAMutilatedProgramIsRefusedOrRuns(t *testing.T) {
	for n, p := range programs {
		rng := rand.New(rand.NewSource(int64(n)))
		k := newKit(t, p.name, "")
		p.make(k)
		for i := range *mutants {
			file := []string{"kernel.ptx", "launch.toml"}[i%2]
			good, err := os.ReadFile(filepath.Join(k.dir, file))
			if err != nil {
				t.Fatal(err)
			}
			bad := mutilate(rng, good)
			k.bytes(file, bad)
			status, out, errs := k.run("--set", "slice.sms=1", "--max-cycles", "200000", "--json", "-", "--check")
			switch {
			case status == app.BadInput && out == "" &&
				(strings.Contains(errs, file) || strings.Contains(errs, "launch ")):
			case status == app.Done, status == app.CheckFailed && !strings.Contains(errs, "operand check"),
				status == app.Stopped:
			default:
				t.Errorf("%s, mutant %d of %s: status %d, %q, for\n%s", p.name, i, file, status, errs, bad)
			}
			k.bytes(file, good)
		}
	}
}
