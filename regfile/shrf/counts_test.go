package shrf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// A warp in the strand reads registers 4 and 9 from the main file, then finds 4 in the level, and writes 4 and 5.
func TestAccessesAreCountedByWhatBecomesOfThem(t *testing.T) {
	b := newBench(t, Default())
	b.enter(1, 0)
	b.wants(5, 0, all, 4, 9)
	b.Domain.RunUntil(10)
	if len(b.Read.Got) != 1 || b.Read.Got[0].Msg.N != 2 {
		t.Fatalf("reads passed on: %+v, want one of two registers", b.Read.Got)
	}
	r := b.Read.Got[0].Msg
	b.Fill.Send(11, bank.Value{Tag: r.Tag, Slot: r.Slot[0], Content: version.Content{Lanes: all}.Write(3, all)})
	b.wants(15, 0, all, 4)
	b.result(20, 0, 4, all, 7)
	b.result(21, 0, 5, all, 8)
	b.Domain.RunUntil(40)
	got := map[string]uint64{}
	want := map[string]uint64{"reads": 3, "read_hits": 1, "filled": 1, "results": 2, "through": 1, "past": 0,
		"strands": 1, "group_reads": 8, "group_writes": 3 * 8, "read_waits": 0, "result_waits": 0}
	for name := range want {
		got[name] = b.Stat(name)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("counted (-want +got):\n%s", d)
	}
}

// Register 4 is live when the warp is suspended, and when it enters a strand again before it has
// left the first.
func TestWriteBacksAreCountedByTheirReason(t *testing.T) {
	for name, m := range map[string]regfile.WarpNotice{
		"flushed": {Event: regfile.WarpSuspended}, "strayed": {Event: regfile.WarpInserted},
	} {
		b := newBench(t, Default())
		b.x.plan.Strands[0].Through = intervals.Set{}
		b.x.plan.Strands[0].Live = set(4, 5)
		b.enter(1, 0)
		b.result(4, 0, 4, all, 7)
		b.result(6, 0, 5, all, 8)
		b.Notice.Send(10, m)
		b.Domain.RunUntil(30)
		if len(b.Write.Got) != 2 || b.Stat(name) != 2 || b.Stat("flushed")+b.Stat("strayed") != 2 {
			t.Errorf(
				"%s: %d registers written back, %d counted as flushed and %d as strayed; want 2 of its own",
				name,
				len(b.Write.Got),
				b.Stat("flushed"),
				b.Stat("strayed"),
			)
		}
	}
}
