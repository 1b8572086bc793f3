package cerf

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// list is a plain model of lru-fair: the contents of each set, the most recently used in front.
type list struct {
	ways         int
	sets         map[uint64][]held
	hits, spills uint64
	gone         map[uint64]bool // registers that have been spilled, if a bit says so
	replaced     [numKinds][numKinds]uint64
}

type held struct {
	line  uint64 // number; registers have their region's
	kind  int
	dirty bool
}

// use brings something to the front of its set, and reports whether it was there.
func (l *list) use(set uint64, h held) bool {
	s := l.sets[set]
	for i, x := range s {
		if x.line != h.line {
			continue
		}
		h.dirty = h.dirty || x.dirty
		l.sets[set] = append([]held{h}, append(append([]held{}, s[:i]...), s[i+1:]...)...)
		l.hits++
		return true
	}
	if len(s) == l.ways {
		out := s[len(s)-1]
		s = s[:len(s)-1]
		l.replaced[h.kind][out.kind]++
		if out.dirty {
			l.spills++
			l.gone[out.line] = true
		}
	}
	l.sets[set] = append([]held{h}, s...)
	return false
}

// has reports whether something is in its set.
func (l *list) has(set, line uint64) bool {
	return slices.ContainsFunc(l.sets[set], func(h held) bool { return h.line == line })
}

// Accesses one after the other, each with all its effects: hits, victims and dirty victims agree with the list.
func TestLRUFairIsAListForEachSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Default()
		s.Ways = rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "ways")
		s.Bytes = s.Ways * 128 * 8
		s.Lanes = rapid.SampledFrom([]string{LanesSpilled, LanesFetch}).Draw(t, "lanes")
		r := newRig(tb{}, s)
		r.grant()
		// The banks return the requested values, and the L2 answers.
		for g := range r.access {
			r.access[g].Receive = func(now wire.Cycle, a bank.Access) {
				if a.Kind == bank.Read && a.To == r.x.places.end {
					r.values.Send(now+1, bank.Value{Content: a.Content, Tag: a.Tag, To: a.To, Slot: a.Slot})
				}
			}
		}
		r.miss.Receive = func(now wire.Cycle, p req.Packet) {
			if !p.Posted() {
				r.reply.Send(now+5, p.Answer())
			}
		}
		m := &list{ways: s.Ways, sets: map[uint64][]held{}, gone: map[uint64]bool{}}
		for i := range rapid.IntRange(20, 80).Draw(t, "accesses") {
			at, n := wire.Cycle(100*i+10), rapid.IntRange(0, 39).Draw(t, "what")
			set := uint64(n % 8)
			register := held{line: r.x.back.address(n) / 128, kind: kindRegister}
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				r.put(at, n, all)
				register.dirty = true
				m.use(set, register)
			case 1:
				r.get(at, n, all, 0)
				// Nothing comes into the memory where nothing was ever written.
				if s.Lanes == LanesFetch || m.gone[register.line] || m.has(set, register.line) {
					m.use(set, register)
				}
			case 2:
				r.txn.Send(at-1, load(uint64(n)))
				m.use(set, held{line: uint64(n)})
			case 3:
				w := load(uint64(n))
				w.Kind, w.Cause, w.Full, w.Bytes = req.Write, req.GlobalStore, req.AllSectors, 128
				r.txn.Send(at-1, w)
				m.use(set, held{line: uint64(n), dirty: true})
			}
			r.d.RunUntil(at + 89)
		}
		reg := r.reg.Snapshot()
		hits := r.stat("read_hits") + r.stat("write_hits") + reg["mem.l1.hits.global_load"] +
			reg["mem.l1.hits.global_store"]
		out := r.stat("spills") + r.stat("write_backs")
		if hits != m.hits || out != m.spills || r.x.count.replaced != m.replaced {
			t.Fatalf("%d hits, %d dirty victims, replaced %v; the list has %d, %d, %v", hits, out, r.x.count.replaced,
				m.hits, m.spills, m.replaced)
		}
		if lines := len(r.miss.Got); lines == 0 && m.hits == 0 {
			t.Fatal("nothing happened")
		}
	})
}

// tb is a testing.TB for rigs built many times.
type tb struct{ testing.TB }

func (tb) Helper() {}

func (tb) Fatal(args ...any) { panic(args) }
