package occupancy

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
)

// program returns a root command with the command occupancy.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a)) }

// Register Sharing tables 2 and 5: CTAs on an SM at 0, 10, 30, 50, 70 and 90 % sharing, and the pairs and unshared
// CTAs given by equations 1 to 4.
func TestTheCommandAnswersTable5OfRegisterSharing(t *testing.T) {
	for _, k := range []struct {
		name             string
		block, registers int
		ctas             [6]int
	}{
		{"backprop", 256, 24, [6]int{5, 5, 5, 5, 6, 6}},
		{"b+tree", 508, 24, [6]int{2, 2, 2, 3, 3, 3}},
		{"hotspot", 256, 36, [6]int{3, 3, 3, 4, 4, 6}},
		{"LIB", 192, 36, [6]int{4, 4, 5, 5, 6, 8}},
		{"MUM", 256, 28, [6]int{4, 4, 4, 5, 5, 6}},
		{"mri-q", 256, 24, [6]int{5, 5, 5, 5, 6, 6}},
		{"sgemm", 128, 48, [6]int{5, 5, 5, 5, 6, 8}},
		{"stencil", 512, 28, [6]int{2, 2, 2, 2, 2, 3}},
	} {
		for i, th := range []string{"1", "0.9", "0.7", "0.5", "0.3", "0.1"} {
			var out, errs bytes.Buffer
			a := &app.App{Stdout: &out, Stderr: &errs}
			if s := a.Main([]string{"occupancy", "--gpu", "tesla-c2050", "--design", "sharing", "--block",
				strconv.Itoa(k.block),
				"--registers", strconv.Itoa(k.registers), "--set", "regfile.threshold=" + th, "--format",
				"json"}, program); s != app.Done {
				t.Fatalf("status %d: %s", s, errs.String())
			}
			var r struct {
				CTAs         int `json:"ctas_per_sm"`
				SharedPairs  int `json:"shared_pairs"`
				UnsharedCTAs int `json:"unshared_ctas"`
			}
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			// U + S is the number without sharing, in the first column.
			if r.CTAs != k.ctas[i] || r.UnsharedCTAs+2*r.SharedPairs != r.CTAs || r.UnsharedCTAs+
				r.SharedPairs != k.ctas[0] {
				t.Errorf("%s at threshold %s: %+v, the paper has %d CTAs, %d without sharing", k.name, th, r, k.ctas[i],
					k.ctas[0])
			}
		}
	}
}
