package subcore

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// newTable is the timetable of two banks with two ports for results of fixed latency.
func newTable(t interface{ Fatal(...any) }, queue int) *Timetable {
	index, err := bank.NewIndex(bank.ByRegister, 2, 4, 64, 1)
	if err != nil {
		t.Fatal(err)
	}
	var times op.Times
	times.Class[ir.ClassFMA] = op.Time{Latency: 20, Initiation: 1}
	env := &regfile.Env{Writebacks: 3, Units: []regfile.Unit{{Times: &times, Fixed: true}}}
	return NewTimetable(env, &ResultSpec{Banks: 2, Queue: queue, Forward: 2, Late: &[ir.NumClasses]bool{}}, index, 8)
}

func writes(unit uint8, dst ...ir.RegID) *op.Op {
	in := &ir.Inst{}
	in.T.NDst = uint8(copy(in.T.Dst[:], dst))
	return &op.Op{Inst: in, Exec: 1, Unit: unit}
}

// take enters a single operation.
func take(x *Timetable, o *op.Op, at wire.Cycle) bool {
	x.Begin()
	return x.Take(o, at)
}

func TestAUnitSendsOneResultPerCycle(t *testing.T) {
	x := newTable(t, 8)
	if !take(x, writes(0, 1), 10) || take(x, writes(0, 2), 10) || !take(x, writes(0, 2), 11) ||
		!take(x, writes(1, 2), 10) {
		t.Error("two results of one unit in a cycle, or one refused that is alone")
	}
}

func TestResultPortsBoundTheResultsOfACycle(t *testing.T) {
	x := newTable(t, 8)
	if !take(x, writes(0, 1), 10) || !take(x, writes(1, 2), 10) || take(x, writes(2, 3), 10) {
		t.Error("want two results of three")
	}
}

func TestAResultIsWrittenBeforeItsPlaceInTheQueueIsGone(t *testing.T) {
	x := newTable(t, 4) // written 2 or 3 cycles after the arrival
	if !take(x, writes(0, 1, 3), 10) || take(x, writes(1, 5), 10) || !take(x, writes(1, 4), 10) {
		t.Error("want the two registers of bank 1, no third, and one of bank 0")
	}
}

func TestAResultOfVariableLatencyGoesAroundThosePromised(t *testing.T) {
	x := newTable(t, 8)
	take(x, writes(0, 1), 10)
	in := writes(3, 3).Inst
	if x.late(&op.Result{Inst: in, Exec: 1}, 10) || !x.late(&op.Result{Inst: in, Exec: 1}, 11) {
		t.Error("taken in the cycle of the other, or refused in the next")
	}
	if take(x, writes(1, 5), 11); x.writes[14] != 1<<1 {
		t.Error("the promise behind the late result is not written a cycle later")
	}
}

func TestUndoTakesOutWhatWasEnteredSinceBegin(t *testing.T) {
	x := newTable(t, 8)
	x.Take(writes(0, 1), 10)
	x.Begin()
	x.Take(writes(1, 3, 4), 10)
	x.Take(writes(0, 5), 11)
	x.Undo()
	if x.ends[10] != 1 || x.ends[11] != 0 || x.writes[12] != 1<<1 || x.writes[13] != 0 || x.writes[14] != 0 {
		t.Errorf("arrivals %v, writes %v", x.ends[:16], x.writes[:16])
	}
}

// A register stays in its queue from its arrival to its cycle in the timetable.
func TestNoQueueHasMoreThanItsRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		queue := rapid.IntRange(6, 10).Draw(t, "queue")
		x := newTable(t, queue)
		var arrived, written [2][200]int
		for now := wire.Cycle(1); now < 100; now++ {
			x.pass(now)
			for range rapid.IntRange(0, 2).Draw(t, "operations") {
				x.Begin()
				var dst []ir.RegID
				for range rapid.IntRange(1, 4).Draw(t, "registers") {
					dst = append(dst, ir.RegID(rapid.IntRange(1, 60).Draw(t, "register")))
				}
				o, at := writes(uint8(rapid.IntRange(0, 2).Draw(t, "unit")), dst...), now
				if rapid.Bool().Draw(t, "late") {
					if !x.late(&op.Result{Inst: o.Inst, Exec: 1}, now) {
						continue
					}
				} else if at = now + wire.Cycle(rapid.IntRange(1, 20).Draw(t, "ahead")); !x.Take(o, at) {
					continue
				}
				for _, w := range x.writesOf[:x.nWrites] {
					b := int(w.bit >> 1)
					arrived[b][at]++
					if written[b][w.at]++; written[b][w.at] > 1 {
						t.Fatalf("bank %d writes twice in cycle %d", b, w.at)
					}
				}
			}
		}
		for b := range 2 {
			held := 0
			for at := range arrived[b] {
				if held += arrived[b][at]; held > queue {
					t.Fatalf("%d registers are in the queue of bank %d at %d, with room for %d", held, b, at, queue)
				}
				held -= written[b][at]
			}
		}
	})
}
