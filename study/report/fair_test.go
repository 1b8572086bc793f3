package report

import (
	"strings"
	"testing"

	"kumiko/study"
)

func TestAReportStatesWhatItsDesignsAreMeantFor(t *testing.T) {
	s, err := study.Parse("t.toml", []byte(`
name = "t"
[groups]
one = ["vecadd"]
[[variant]]
name = "base"
gpu = "fermi"
[[variant]]
name = "small"
gpu = "fermi"
design = "rfc"
baseline = "base"
set = ["regfile.rfc.entries=4"]
[[variant]]
name = "large"
gpu = "fermi"
design = "rfc"
baseline = "base"
`))
	if err != nil {
		t.Fatal(err)
	}
	section := fair(study.NewData(s, nil))
	rows := section.Parts[len(section.Parts)-1].Table.Rows
	if len(rows) != 1 || rows[0][0] != "rfc" || !strings.Contains(rows[0][1], "less energy of the banks") {
		t.Errorf("%v, want a row of rfc", rows)
	}
}
