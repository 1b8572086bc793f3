package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

func TestShortSequencesTakeTheCyclesThatAreKnownOfChips(t *testing.T) {
	list := Cases()
	if len(list) < 100 {
		t.Fatalf("%d cases, want at least 100", len(list))
	}
	all, err := outcomes(list)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if o := &all[i]; !o.agrees() {
			t.Errorf("%s on %s: %v cycles, want %v (%s)", o.Name, o.GPU, o.Got, o.Want, o.Source)
		}
	}
}

func TestTheRowsOfTheBankMeasurementsAreWithinThreePercent(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand machines")
	}
	list, err := rows("../../../shared/data/modern/maxwell-regbank", func() {})
	if os.IsNotExist(err) {
		t.Skipf("the measurements are not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := summary(list)
	if len(s) != 2 || s[0].n != 708 || s[1].n != 256 {
		t.Fatalf("%+v, want 708 and 256 rows", s)
	}
	for _, e := range s {
		t.Logf("%s: mean error %.2f %%, worst %.1f %%", e.file, 100*e.sum/float64(e.n), 100*e.worst)
		if e.beyond > 0 {
			t.Errorf("%s: %d rows beyond 3 %%, want none", e.file, e.beyond)
		}
	}
}

func TestThePageHasTheTablesAndTheScatterPlot(t *testing.T) {
	c := Cases()[0]
	all := []outcome{{c, 6}, {c, 9}}
	var b bytes.Buffer
	if err := write(&b, all, []Row{{"f.txt", "3000", 17.75, 18}}, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 of 2 short sequences", c.Group, "f.txt", "17.75", `"simulated"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	b.Reset()
	if err := write(&b, all, nil, os.ErrNotExist); err != nil || !strings.Contains(b.String(), "not drawn: ") {
		t.Errorf("error %v; without measurements the page does not say so", err)
	}
}
