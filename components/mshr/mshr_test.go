package mshr

import (
	"testing"

	"pgregory.net/rapid"
)

func file(t interface{ Fatal(...any) }, entries, merges int) *File[int] {
	f, err := New[int](Spec{Entries: entries, Merges: merges})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAFullFileRefusesAnotherLineAndAFullEntryAnotherAccess(t *testing.T) {
	f := file(t, 1, 2)
	e := f.Open(0, 128)
	f.Add(e, 1, 10)
	if f.CanOpen() != NoEntry {
		t.Error("one entry, one line outstanding: another line is not refused")
	}
	if f.CanAdd(e) != Accepted {
		t.Error("the second of two accesses is refused")
	}
	f.Add(e, 1, 11)
	if f.CanAdd(e) != NoMerge {
		t.Error("the third of two accesses is not refused")
	}
}

func TestAnAccessWaitsForAllItsSectorsAndOthersPassIt(t *testing.T) {
	f := file(t, 4, 4)
	e := f.Open(0, 128)
	f.Expect(e, 0b11)
	f.Add(e, 0b11, 10)
	f.Add(e, 0b10, 11)
	f.Arrive(e, 0b10)
	if v := f.Next(e); v == nil || *v != 11 {
		t.Fatalf("next is %v, want 11: it needs sector 1 only", v)
	}
	f.Drop(e)
	if f.Next(e) != nil || f.Done(e) {
		t.Fatal("access 10 does not wait for sector 0")
	}
	f.Arrive(e, 0b01)
	if v := f.Next(e); v == nil || *v != 10 {
		t.Fatalf("next is %v, want 10", v)
	}
	f.Drop(e)
	if !f.Done(e) {
		t.Error("nothing waits and all has come, but the entry is not done")
	}
}

func TestOccupancyIsEntriesTimesCycles(t *testing.T) {
	f := file(t, 4, 1)
	a := f.Open(10, 0)
	b := f.Open(15, 128) // 1 entry for 5 cycles
	f.Close(18, a)       // 2 for 3
	f.Close(20, b)       // 1 for 2
	if f.Occupancy != 5+6+2 {
		t.Errorf("occupancy %d entry-cycles, want 13", f.Occupancy)
	}
}

func TestTheFileAgreesWithAMapOfQueues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, merges := rapid.IntRange(1, 6).Draw(t, "entries"), rapid.IntRange(1, 4).Draw(t, "merges")
		f := file(t, entries, merges)
		ref := map[uint64][]int{}
		for step := range rapid.IntRange(0, 200).Draw(t, "steps") {
			line := rapid.Uint64Range(0, 8).Draw(t, "line") * 128
			e := f.Find(line)
			if _, ok := ref[line]; ok != (e >= 0) {
				t.Fatalf("line %d: found %v, want %v", line, e >= 0, ok)
			}
			if rapid.Bool().Draw(t, "arrive") {
				if e < 0 {
					continue
				}
				f.Arrive(e, 1)
				for _, want := range ref[line] {
					if v := f.Next(e); v == nil || *v != want {
						t.Fatalf("next %v, want %d", v, want)
					}
					f.Drop(e)
				}
				if !f.Done(e) {
					t.Fatal("not done after all has been taken")
				}
				f.Close(uint64(step), e)
				delete(ref, line)
				continue
			}
			if e < 0 {
				if (f.CanOpen() == NoEntry) != (len(ref) == entries) {
					t.Fatalf("%d of %d entries used: %v", len(ref), entries, f.CanOpen())
				}
				if f.CanOpen() == NoEntry {
					continue
				}
				e = f.Open(uint64(step), line)
				f.Expect(e, 1)
			}
			if (f.CanAdd(e) == NoMerge) != (len(ref[line]) == merges) {
				t.Fatalf("%d of %d merges used: %v", len(ref[line]), merges, f.CanAdd(e))
			}
			if f.CanAdd(e) == Accepted {
				f.Add(e, 1, step)
				ref[line] = append(ref[line], step)
			}
		}
	})
}
