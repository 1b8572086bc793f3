package cubin

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"kumiko/kernel/cubin/maxwell"
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/cubin/volta"
)

// The forms are those that ptxas 11.8 makes of the built-in programs and of three suites (../shared/data/sass).
func TestEveryFormOfTheSuitesHasARule(t *testing.T) {
	f, err := os.Open("../../../shared/data/sass/forms.csv")
	if err != nil {
		t.Skip("without ../shared:", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, row := range rows[1:] {
		for i, n := range row[1:] {
			if n == "0" {
				continue
			}
			family := volta.Family
			if strings.HasSuffix(rows[0][i+1], "sm_52") || strings.HasSuffix(rows[0][i+1], "sm_61") {
				family = maxwell.Family
			}
			checked++
			if what := unknown(family, row[0]); what != "" {
				t.Errorf("%s in %s: %s is not known", row[0], rows[0][i+1], what)
			}
		}
	}
	if checked < 500 {
		t.Errorf("%d forms", checked)
	}
}

// unknown returns the opcode or the suffix of a mnemonic that a family has no rule for, or nothing.
func unknown(f *rules.Family, mnemonic string) string {
	names := strings.Split(mnemonic, ".")
	r, ok := f.Rules[names[0]]
	if !ok && f.Twin != nil {
		of, _ := f.Twin(names[0])
		r, ok = f.Rules[of]
	}
	if !ok {
		return names[0]
	}
	for _, n := range names[1:] {
		if !strings.Contains(" "+r.Suffixes+" ", " "+n+" ") {
			return "." + n
		}
	}
	return ""
}
