package synthetic

import (
	"strings"
	"testing"

	"kumiko/kernel/ptx"
	"pgregory.net/rapid"
)

func TestDialsAreReadOnTopOfTheDefaults(t *testing.T) {
	d, err := parse("dep=1,span=4096,idle=7")
	want := defaults
	want.dep, want.span, want.idle = 1, 4096, 7
	if err != nil || d != want {
		t.Errorf("got %+v, %v, expected %+v", d, err, want)
	}
}

func TestWrongDialsAreRefusedByName(t *testing.T) {
	for args, want := range map[string]string{
		"":                  `no dial ""; expected dep, reuse`,
		"depth=3":           `no dial "depth"`,
		"dep":               `dep: found "", expected an integer from 1 to 32`,
		"dep=0":             `dep: found "0", expected an integer from 1 to 32`,
		"dep=4x":            `dep: found "4x"`,
		"div=3":             `div: found "3", expected a power of two from 1 to 32`,
		"dep=1,dep=2":       "dep is set twice",
		"stride=8":          "stride=8: expected less than reuse (8)",
		"idle=128,ramp=64,": `no dial ""`,
		"idle=128,ramp=64":  "204 registers together, expected at most 200",
		"iters=600":         "iters=600: expected at most 500",
	} {
		if _, err := parse(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, expected one with %s", args, err, want)
		}
	}
}

func TestLoadsAreEvenlySpreadAndAsManyAsAsked(t *testing.T) {
	// 64 operations at 25 percent.
	d := dials{mem: 25}
	n := 0
	for j := range rowLength {
		if d.loaded(j) {
			if j%4 != 3 {
				t.Errorf("operation %d loads", j)
			}
			n++
		}
	}
	if n != 16 {
		t.Errorf("%d loads, expected 16", n)
	}
}

func TestEveryPositionOfTheDialsGivesValidPTX(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := defaults
		for i := range all {
			x := &all[i]
			n := rapid.IntRange(x.low, x.top).Draw(t, x.name)
			for x.power && n&(n-1) != 0 {
				n &= n - 1
			}
			*x.of(&d) = n
		}
		if err := d.check(); err != nil {
			t.Skip(err)
		}
		if _, err := ptx.Parse("synthetic.ptx", d.ptx()); err != nil {
			t.Fatal(err)
		}
	})
}
