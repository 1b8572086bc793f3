package rfc

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

func living(s *Spec) { s.Liveness, s.Entries = true, 2 }

func TestADeadRegisterIsEvictedWithoutBeingWritten(t *testing.T) {
	r := newRig(t, with(living), 8)
	r.start(1)
	r.write(10, 0, 1, all)
	r.write(11, 0, 2, all)
	r.readLast(20, 0, all, 1)
	r.write(30, 0, 3, all) // R1 goes
	r.write(31, 0, 4, all) // R2 goes
	r.Run()
	wiretest.Same(t, "written", []event{{32, 2}}, r.written())
	wiretest.Same(t, "died, elided, evicted", [3]uint64{1, 1, 2}, [3]uint64{r.Stat("died"), r.Stat("dead_elided"),
		r.Stat("evictions")})
}

func TestWithoutLivenessEveryEvictedRegisterIsWritten(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Entries = 2 }), 8)
	r.start(1)
	r.write(10, 0, 1, all)
	r.write(11, 0, 2, all)
	r.readLast(20, 0, all, 1)
	r.write(30, 0, 3, all)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 1}}, r.written())
}

func TestALastReadOfSomeOfTheLanesKillsNothing(t *testing.T) {
	r := newRig(t, with(living), 8)
	r.start(1)
	r.write(10, 0, 1, 0xffff)
	r.write(11, 0, 2, 0xff)
	r.readLast(20, 0, 0xff, 1) // fewer lanes than are there
	r.readLast(21, 0, 0xff, 2) // all that are there
	r.write(30, 0, 3, all)
	r.write(31, 0, 4, all)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 1}}, r.written())
}

func TestADeadRegisterThatIsWrittenLivesAgain(t *testing.T) {
	r := newRig(t, with(living), 8)
	r.start(1)
	r.write(10, 0, 1, all)
	r.readLast(20, 0, all, 1)
	r.write(21, 0, 1, 0xff)
	r.write(30, 0, 2, all)
	r.write(31, 0, 3, all)
	r.Run()
	wiretest.Same(t, "written", []event{{32, 1}}, r.written())
}

func TestDeadRegistersGoFirstIfWantedAndFarOnesAfterThem(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(*Spec)
		want []event
	}{
		{"oldest first", func(s *Spec) {}, []event{{31, 1}, {32, 2}}}, // R3 is dead
		{"dead first", func(s *Spec) { s.EvictDead = true }, []event{{32, 1}}},
		{"far first", func(s *Spec) { s.EvictFar = true }, []event{{31, 2}, {32, 1}}},
		{"dead, then far first", func(s *Spec) { s.EvictDead, s.EvictFar = true, true }, []event{{32, 2}}},
	} {
		r := newRig(t, with(func(s *Spec) { living(s); s.Entries = 3; c.f(s) }), 8)
		r.start(1)
		r.write(10, 0, 1, all)
		r.writeAs(11, 0, 2, all, madeFar)
		r.write(12, 0, 3, all)
		r.readLast(20, 0, all, 3)
		r.write(30, 0, 4, all)
		r.write(31, 0, 5, all)
		r.Run()
		wiretest.Same(t, c.name, c.want, r.written())
	}
}

func TestAReadMakesARegisterFarOrNear(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.EvictFar, s.Entries = true, 2 }), 8)
	r.start(1)
	r.write(10, 0, 1, all)
	r.write(11, 0, 2, all)
	q := r.request(20, 0, all, 2)
	q.Hint[0] = readFar
	r.Request.Send(19, q)
	r.write(30, 0, 3, all)
	r.Run()
	wiretest.Same(t, "evicted", []event{{31, 2}}, r.written())
}

func TestACapturedOperandCanBeTheLastReadToo(t *testing.T) {
	r := newRig(t, with(living), 8)
	r.start(1)
	r.write(10, 0, 1, all)
	r.write(11, 0, 2, all)
	r.Captured.Send(
		9,
		bank.Capture{Warp: 0, Reg: 1, Lanes: all, Hint: readLast},
	) // with the result, which comes first
	r.Captured.Send(12, bank.Capture{Warp: 0, Reg: 2, Lanes: 0xff, Hint: readLast})
	r.Captured.Send(13, bank.Capture{Warp: 1, Reg: 2, Lanes: all, Hint: readLast}) // not here
	r.write(30, 0, 3, all)
	r.write(31, 0, 4, all)
	r.Run()
	wiretest.Same(t, "written", []event{{32, 2}}, r.written())
}

func TestLivenessChangesNoHit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type act struct {
			write bool
			reg   ir.RegID
			lanes uint32
			dead  bool
		}
		acts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) act {
			return act{rapid.Bool().Draw(t, "write"), ir.RegID(rapid.IntRange(0, 5).Draw(t, "register")),
				rapid.SampledFrom([]uint32{all, 0xffff, 0xff00ff}).Draw(t, "lanes"), rapid.Bool().Draw(t, "last")}
		}), 1, 40).Draw(t, "acts")
		entries := rapid.IntRange(1, 4).Draw(t, "entries")
		var hits [2]uint64
		for i, liveness := range []bool{false, true} {
			r := newRig(&testing.T{}, with(func(s *Spec) { s.Liveness, s.Entries = liveness, entries }), 8)
			r.start(1)
			for n, a := range acts {
				at := uint64(10 + 2*n)
				switch {
				case a.write:
					r.write(at, 0, a.reg, a.lanes)
				case a.dead:
					r.readLast(at, 0, a.lanes, a.reg)
				default:
					r.read(at, 0, a.lanes, a.reg)
				}
			}
			r.Run()
			hits[i] = r.Stat("read_hits")
		}
		if hits[0] != hits[1] {
			t.Fatalf("%d hits without liveness, %d with it", hits[0], hits[1])
		}
	})
}
