package report

import (
	"strings"
	"testing"

	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/record"
)

// thin returns the data of the test study with few waves of one point.
func thin(t *testing.T) *study.Data {
	t.Helper()
	d := data(t, file)
	half, many := 0.5, 7.0
	d.Record("new", "vecadd", 0).Waves = &half
	d.Record("new", "transpose", 0).Waves = &many
	return d
}

const remark = "Fewer than 3 full waves of CTAs, so that the machine is partly empty: new on vecadd (the least " +
	"has 0.5)."

func TestAFigureNamesThePointsWithFewWavesBelowIt(t *testing.T) {
	d := thin(t)
	q := query.New(d)
	f := mustFigure(t, q, &d.Spec.Figures[0])
	if !strings.HasSuffix(f.Caption, remark) {
		t.Errorf("the caption is %q", f.Caption)
	}
	if c := made(t).Figures[0].Caption; strings.Contains(c, "waves") {
		t.Errorf("without few waves the caption is %q", c)
	}
}

func TestATableNamesThePointsWithFewWavesBelowIt(t *testing.T) {
	q := query.New(thin(t))
	table, err := NewTable(q, &study.Table{Over: "group:two",
		Columns: []study.Column{{Name: "ipc", Value: "ipc('new', x)"}}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(table.Caption, remark) {
		t.Errorf("the caption is %q", table.Caption)
	}
}

func TestTheTerminalNamesThePointsWithFewWaves(t *testing.T) {
	var b strings.Builder
	if err := Terminal(&b, thin(t)); err != nil {
		t.Fatal(err)
	}
	want := "\nnote: " + remark + " A larger --size or a smaller slice.sms fills it.\n"
	if !strings.HasSuffix(b.String(), want) {
		t.Errorf("%s\nlacks %q", b.String(), want)
	}
}

func TestTheTerminalAndThePageSayWhatADesignFarBehindItsBaselineIsMeantFor(t *testing.T) {
	s, err := study.Parse("t.toml", []byte(`
name = "t"
[groups]
one = ["vecadd"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "cached"
gpu = "gtx980"
design = "ltrf"
baseline = "base"
`))
	if err != nil {
		t.Fatal(err)
	}
	for ipc, want := range map[float64]bool{5: true, 9.5: false} {
		var b strings.Builder
		d := study.NewData(s, []*record.Record{run("base", "vecadd", 10), run("cached", "vecadd", ipc)})
		if err := Terminal(&b, d); err != nil {
			t.Fatal(err)
		}
		r, err := New(&Input{Data: d})
		if err != nil {
			t.Fatal(err)
		}
		if badges := r.Page().Badges; (len(badges) == 1) != want {
			t.Errorf("IPC %g: badges %v", ipc, badges)
		}
		if got := strings.Contains(b.String(), "note: cached has 0.50 of the IPC of base. "+
			"ltrf is meant for: a main register file"); got != want {
			t.Errorf("IPC %v of 10:\n%s", ipc, b.String())
		}
	}
}
