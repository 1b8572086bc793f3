package dram_test

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/dram"
	"kumiko/memsys/req"
)

// A channel alone, with three reads of one sector each, far apart: from a closed bank, from the row opened by
// the first, and from another row of the same bank. Sent in cycle c, a request is in the channel's queue in c +
// 1, and its first command issues at once. Its data take 8 transfers at 4 per cycle, 2 cycles, and the reply is
// seen a cycle after the data are complete.
//
//	row miss      tRCD + tCL + 2 = 16 + 16 + 2 = 34:             100 + 34 + 1 = 135
//	row hit       tCL + 2 = 18:                                  200 + 18 + 1 = 219
//	row conflict  tRP + tRCD + tCL + 2 = 16 + 16 + 16 + 2 = 50:  300 + 50 + 1 = 351
func Example() {
	d := wire.NewDomain("DRAM", 1e9) // the command clock; cycles here are command cycles
	var reg stats.Registry
	s := dram.Spec{
		Channels: 1, Clock: 1000, Bus: 4, Rate: 4, Burst: 8, Banks: 16, Groups: 4, Row: 2048, Stripe: 128,
		Queue: 64, Return: 64, Policy: "frfcfs", Starve: 1000, High: 32, Low: 8, Latency: 1, Back: 1,
		RCD: 16, RAS: 37, RP: 16, RC: 52, CL: 16, WL: 6, RRD: 8, CCD: 2, CCDL: 4, WR: 16, CDLR: 7, RTP: 3,
	}
	// one L2 slice with a miss queue of 8
	c, err := dram.New("DRAM[0]", d, s, dram.Clients{Slices: 1, MissQueue: 8}, &reg)
	if err != nil {
		fmt.Println(err)
		return
	}
	slice := wiretest.NewSource("L2", d, &c.In[0])
	replies := wiretest.NewSink("Replies", d, &c.Out[0], 8)

	nextRow := uint64(s.Row * s.Banks) // the same bank, one row on
	for i, addr := range []uint64{0, 32, nextRow} {
		slice.Send(uint64(99+100*i), req.MemRequest{Addr: addr, Tag: uint32(i), Sectors: 1})
	}
	d.RunUntil(1000)
	for _, r := range replies.Got {
		fmt.Printf("cycle %d: reply %d\n", r.Cycle, r.Msg.Tag)
	}
	n := reg.Snapshot()
	fmt.Println("row misses, hits, conflicts:", n["mem.dram.row_misses"], n["mem.dram.row_hits"],
		n["mem.dram.row_conflicts"])
	// Output:
	// cycle 135: reply 0
	// cycle 219: reply 1
	// cycle 351: reply 2
	// row misses, hits, conflicts: 1 1 1
}
