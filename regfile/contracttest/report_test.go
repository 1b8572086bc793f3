package contracttest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/version"
)

func TestAWrongOperandIsOneLineWithItsLanesAsMasks(t *testing.T) {
	at := func(reg, lane int, found, want uint32) version.Violation {
		return version.Violation{Block: "SM[0].C", Cycle: 9, Warp: 3, Register: reg, Lane: lane, Found: found,
			Expected: want}
	}
	later := at(5, 31, 4, 7)
	later.Cycle = 10
	got := operands([]version.Violation{
		at(5, 0, 4, 7), at(5, 1, 0, 7), at(5, 8, 4, 7), // one operand, wrong in two ways
		at(5, 8, 4, 7), // the same register as another source
		at(6, 9, 1, 2),
		later,
	})
	want := []string{
		"SM[0].C: cycle 9: warp 3: R5 lanes 00000101: version 4, want version 7; lanes 00000002: no version, want " +
			"version 7",
		"SM[0].C: cycle 9: warp 3: R5 lanes 00000100: version 4, want version 7",
		"SM[0].C: cycle 9: warp 3: R6 lanes 00000200: version 1, want version 2",
		"SM[0].C: cycle 10: warp 3: R5 lanes 80000000: version 4, want version 7",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAReportHasRoomForTwentyWrongOperands(t *testing.T) {
	c := Configs()["no notices, every register a hazard"]
	o, err := Run(bufferedKind(true).Settings(), c, 0)
	if err != nil {
		t.Fatal(err)
	}
	wide := 0
	for _, p := range o.Problems {
		_, lanes, ok := strings.Cut(p, " lanes ")
		if !ok {
			t.Errorf("found the line %q, expected an operand", p)
		}
		if strings.HasPrefix(lanes, "ffffffff") {
			wide++
		}
	}
	if len(o.Problems) != lines || wide == 0 {
		t.Errorf("%d operands in the report, %d of them wrong in all lanes; want %d and some", len(o.Problems), wide,
			lines)
	}
}
