package arbiter

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
)

func TestRandomTrafficIsServedOnceWritesBeforeReadsOfTheirEntry(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := plain(rapid.IntRange(1, 4).Draw(rt, "banks"), 3, 1)
		s.Bank.Ports = bank.Ports(rapid.IntRange(0, 3).Draw(rt, "ports"))
		s.Bank.Blocking = rapid.Bool().Draw(rt, "blocking")
		s.Bank.ReadLatency, s.Bank.WriteLatency = rapid.IntRange(1, 4).Draw(rt, "rl"),
			rapid.IntRange(1, 4).Draw(rt, "wl")
		s.Fairness = Fairness(rapid.IntRange(0, 1).Draw(rt, "fair"))
		s.Depth = rapid.IntRange(1, 6).Draw(rt, "depth")
		r := newRig(t, s)
		n := 0
		for at := wire.Cycle(1); at < 60; at++ {
			for i := 0; i < 3; i++ {
				if rapid.IntRange(0, 2).Draw(rt, "ask") == 0 {
					n++
					b, e := rapid.IntRange(0, s.Banks-1).Draw(rt, "bank"), rapid.IntRange(0, 2).Draw(rt, "entry")
					r.reads[i].Send(at, request(uint8(b), uint32(e), i, uint32(n)))
				}
			}
			if rapid.IntRange(0, 3).Draw(rt, "write") == 0 {
				n++
				b, e := rapid.IntRange(0, s.Banks-1).Draw(rt, "bank"), rapid.IntRange(0, 2).Draw(rt, "entry")
				r.writes[0].Send(at, bank.Access{Bank: uint8(b), Entry: uint32(e), Kind: bank.Write, Tag: uint32(n),
					Content: version.Content{Seq: uint32(n), Lanes: 1}})
			}
		}
		r.d.RunUntil(3000)
		seen := map[uint32]bool{}
		for b := range r.banks {
			perCycle := map[wire.Cycle][2]int{}
			for _, g := range r.banks[b].Got {
				if seen[g.Msg.Tag] {
					rt.Fatalf("request %d granted twice", g.Msg.Tag)
				}
				seen[g.Msg.Tag] = true
				c := perCycle[g.Cycle]
				if g.Msg.Kind == bank.Read {
					c[0]++
				} else {
					c[1]++
				}
				perCycle[g.Cycle] = c
				if c[0] > s.Bank.Ports.Reads() || c[0]+c[1] > s.Bank.Ports.Count() {
					rt.Fatalf("cycle %d: %v reads and writes on %s", g.Cycle, c, s.Bank.Ports)
				}
			}
		}
		if len(seen) != n {
			rt.Fatalf("%d of %d requests granted", len(seen), n)
		}
		checkOrder(rt, r)
	})
}

// checkOrder checks that a read put in the same cycle as a write of its entry, or later, comes behind the write.
func checkOrder(t *rapid.T, r *rig) {
	putAt := map[uint32]wire.Cycle{}
	note := func(sent []wire.Cycle, tags []uint32) {
		for i, tag := range tags {
			putAt[tag] = sent[i]
		}
	}
	// Each source sends its requests in the order of their tags.
	byReader := make([][]uint32, len(r.reads))
	var byWriter []uint32
	max := uint32(0)
	all := map[uint32]bank.Access{}
	for b := range r.banks {
		for _, g := range r.banks[b].Got {
			all[g.Msg.Tag] = g.Msg
			if g.Msg.Tag > max {
				max = g.Msg.Tag
			}
		}
	}
	for tag := uint32(1); tag <= max; tag++ {
		if a := all[tag]; a.Kind == bank.Read {
			byReader[a.To] = append(byReader[a.To], tag)
		} else {
			byWriter = append(byWriter, tag)
		}
	}
	for i := range byReader {
		note(r.reads[i].Sent, byReader[i])
	}
	note(r.writes[0].Sent, byWriter)
	for b := range r.banks {
		read := map[uint32]uint32{} // entry: last put cycle of a read served so far, plus one
		for _, g := range r.banks[b].Got {
			e := g.Msg.Entry
			if g.Msg.Kind == bank.Read {
				if at := uint32(putAt[g.Msg.Tag]) + 1; at > read[e] {
					read[e] = at
				}
			} else if uint64(read[e]) > putAt[g.Msg.Tag] {
				t.Fatalf("bank %d entry %d: write put at %d was granted behind a read put at %d", b, e,
					putAt[g.Msg.Tag], read[e]-1)
			}
		}
	}
}
