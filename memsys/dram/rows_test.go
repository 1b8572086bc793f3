package dram

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/memsys/req"
)

func TestAnObserverOfRowsSeesWhoOpensThemAndWhoFindsAnotherOpen(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	var got []RowEvent
	b.c.OnRow(func(e RowEvent) { got = append(got, e) })
	first, second := read(row(0), 1), read(row(1), 1)
	first.SM, first.Warp, second.SM, second.Warp, second.Cause = 1, 5, 2, 6, req.TextureLoad
	b.src[0].Send(1, first)
	b.src[0].Send(99, second)
	b.d.RunUntil(300)
	b.c.OnRow(nil)
	b.src[0].Send(301, read(row(2), 1))
	b.d.RunUntil(500)
	if d := cmp.Diff([]RowEvent{{Open: true, Read: true, SM: 1, Warp: 5},
		{Read: true, Cause: req.TextureLoad, SM: 2, Warp: 6},
		{Open: true, Read: true, Cause: req.TextureLoad, SM: 2, Warp: 6}}, got); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	if n := b.reg.Snapshot()["mem.dram.row_conflicts"]; n != 2 {
		t.Errorf("%v row conflicts, want 2", n)
	}
}
