package energy

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/internal/tomldoc"
)

func TestMistakesInATableAreRefusedWithTheirPlaces(t *testing.T) {
	row := "source = \"s\"\n[[component]]\nname = \"a\"\n"
	leak := "source = \"s\"\n[[leak]]\n"
	for text, want := range map[string]string{
		"":                       "mine.toml: found no row, expected a [[component]] with name, stats and pj",
		"extends = \"volta\"\n":  `mine.toml:1:11: extends: found "volta", expected one of cerf, gebhart, gpu`,
		"extends = \"o.toml\"\n": `mine.toml:1:11: extends: found "o.toml", expected one of cerf, gebhart, gpu`,
		"watt = 3\n":             "mine.toml:1:1: unknown key watt; expected one of",
		row + "pj = 1\n":         "mine.toml:3:1: component a: expected stats",

		row + "stats = [\"x\"]\n":                    "mine.toml:3:1: component a: expected pj, the energy of an",
		row + "stats = [\"x\"]\npj = -1\n":           "mine.toml:5:6: pj: found -1, expected at least 0",
		row + "stats = [\"x\"]\npj = nan\n":          "mine.toml:5:6: ",
		row + "stats = [\"x\"]\npj = 1\ntimes = 0\n": "mine.toml:6:9: times: found 0, expected a number above",
		row + "stats = [\"x\", \"y[\"]\npj = 1\n":    `mine.toml:4:15: stats: found "y[", expected the name of`,
		row + "stats = \"x\"\npj = 1\n":              "mine.toml:4:9: ",

		"[[component]]\nname = \"a\"\nstats = [\"x\"]\npj = 1\n": "mine.toml:2:1: a: expected the source of",
		leak + "mw = 1\n":                          "mine.toml:3:1: found a row without a name",
		leak + "name = \"l\"\n":                    "mine.toml:3:1: leak l: expected mw, the power of",
		leak + "name = \"l\"\nmw = 1\nbanks = 0\n": "mine.toml:5:9: banks: found 0, expected at least 1",
	} {
		_, err := Parse("mine.toml", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n%v\nwant %s", text, err, want)
		}
	}
}

func TestStatisticsThatTheMachineLacksAreRefused(t *testing.T) {
	machine, all := []string{"regfile.bank.reads", "regfile.bank.writes"}, []string{"regfile.bank.reads",
		"regfile.bank.writes", "regfile.mine.hits"}
	row := "source = \"s\"\n[[component]]\nname = \"a\"\npj = 1\nstats = "
	for text, want := range map[string]string{
		`["regfile.bank.reads"]`:                     "",
		`["regfile.bank.*"]`:                         "",
		"[\"regfile.mine.hits\"]\noptional = true":   "",
		`["regfile.bank.read"]`:                      "did you mean regfile.bank.reads?",
		`["regfile.mine.*"]`:                         "or optional = true in a row of a block that this machine lacks",
		"[\"regfile.yours.*\"]\noptional = true":     "which is no statistic that any machine has",
		`["regfile.bank.reads", "regfile.bank.re*"]`: `found the statistic regfile.bank.reads by "regfile.bank.reads" `,
	} {
		c, err := parsed(t, row+text+"\n").Charges(nil)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Check(machine, func() ([]string, error) { return all, nil })
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want == "":
		case err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "mine.toml:5:1: a: found "):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestAParameterOfALeakThatIsNoNumberIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"per = \"regfile.kind\"\n": "mine.toml:5:7: the run's parameter regfile.kind is <nil>, expected a",
		"per = \"sm.lanes\"\n":     "mine.toml:5:7: the run's parameter sm.lanes is <nil>",
	} {
		c, err := parsed(t, "source = \"s\"\n[[leak]]\nname = \"l\"\nmw = 1\n"+text).Charges(nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = c.Of(small()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	c, err := parsed(t, "source = \"s\"\nclock = \"mem.mhz\"\n[[leak]]\nname = \"l\"\nmw = 1\n").Charges(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Of(small()); err == nil || !strings.HasPrefix(err.Error(), "mine.toml:2:9: clock: the run's "+
		"parameter mem.mhz is <nil>") {
		t.Errorf("a clock that is no parameter: %v", err)
	}
}

func TestATableOfNoEnergiesIsRefusedWithTheOthers(t *testing.T) {
	for name, want := range map[string]string{
		"ltrf":    "has powers relative to a technology and no energies of accesses; expected one of cerf,",
		"volta":   `found "volta", expected one of cerf, gebhart, gpu, or a file ending in .toml`,
		"no.toml": "no.toml: no such file or directory",
	} {
		if _, err := Open(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// Any file is either a table with charges, or refused with a place.
func FuzzTable(f *testing.F) {
	for _, name := range []string{"gpu", "cerf", "gebhart", "ltrf"} {
		data, err := Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add(own)
	f.Add("extends = \"cerf\"\n" + own)
	f.Add("extends = \"gebhart\"\nclock = \"sm.count\"\n[[leak]]\nname = \"l\"\nmw = 1\nsource = \"s\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Parse("f.toml", []byte(text))
		var located *tomldoc.Error
		if err != nil {
			if !errors.As(err, &located) || located.Pos.File != "f.toml" {
				t.Fatalf("no place: %v", err)
			}
			return
		}
		c, err := table.Charges(small().Config)
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"regfile.bank.reads.operand"}
		c.Check(names, func() ([]string, error) { return names, nil })
		if e, err := c.Of(small()); err == nil && len(e.Rows) > 0 &&
			!slices.ContainsFunc(e.Rows, func(r result.EnergyRow) bool { return r.Source != "" }) {
			t.Fatal("no row has a source")
		}
	})
}
