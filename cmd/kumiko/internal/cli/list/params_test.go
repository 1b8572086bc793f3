package list

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus/config"
)

func paramsListed(t *testing.T, args ...string) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(listed(t, append([]string{"params"}, args...)...)), "\n")
}

// The word bank is in the names of some thirty parameters, whose values were 328 lines.
func TestAWordOfManyParametersListsEachOnALineAndSaysHowToSeeOneInFull(t *testing.T) {
	brief := paramsListed(t, "bank")
	n := len(brief) - 2
	want := fmt.Sprintf("%d parameters; kumiko list params compiler.bank_policy shows one in full", n)
	if n < 20 || brief[n] != "" || !strings.HasPrefix(brief[n+1], want) {
		t.Fatalf("%d lines, the last %q, want %q", len(brief), brief[n+1], want)
	}
	for _, l := range brief[:n] {
		if key, _, _ := strings.Cut(l, " "); !strings.Contains(key, "bank") || len(l) > 160 {
			t.Errorf("found %q, want a parameter on a line of at most 160 letters", l)
		}
	}
	one := paramsListed(t, "compiler.bank_policy")
	if len(one) != 2 || !strings.Contains(one[1], "all GPUs  first-free") {
		t.Errorf("where all GPUs agree: %q, want one line", one)
	}
	full := paramsListed(t, "bank", "--full")
	if len(full) <= screen || strings.Contains(full[len(full)-1], "in full") {
		t.Errorf("--full: %d lines, the last %q", len(full), full[len(full)-1])
	}
}

func TestOneParameterNamesEveryGPUOnceByItsValue(t *testing.T) {
	lines := paramsListed(t, "mem.l1.banks")
	named := strings.Join(lines[1:], "\n")
	if len(lines) > 6 || !strings.Contains(named, "\n    the others ") {
		t.Errorf("found %q, want a line for each value, the most frequent last", lines)
	}
	for _, gpu := range config.Names() {
		cfg, err := config.Load(config.Request{GPU: gpu})
		if err != nil {
			t.Fatal(err)
		}
		value := fmt.Sprintf("  %d  ", cfg.Mem.L1.Banks)
		for _, l := range lines[1:] {
			names, rest, _ := strings.Cut(strings.TrimSpace(l), "  ")
			for _, n := range strings.Split(names, ", ") {
				if n == gpu && !strings.HasPrefix("  "+strings.TrimSpace(rest), value) {
					t.Errorf("%s: %q, want%s", gpu, l, value)
				}
			}
		}
	}
}

func TestAParameterIsFoundByTheAliasThatSetTakes(t *testing.T) {
	got := paramsListed(t, "regfile.threshold")
	if len(got) < 2 || !strings.HasPrefix(got[0], "regfile.sharing.threshold (number, also regfile.threshold)") {
		t.Errorf("found %q", got)
	}
}
