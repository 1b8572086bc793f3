package bank_test

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// A bank alone, between a source in place of its arbiter and a sink in place of the operand crossbar. A message
// sent in cycle c is visible to the bank in c + 1; its value is there ReadLatency cycles after the start of the
// read.
//
// A pipelined bank with one port starts an access per cycle: sent in 9, 10 and 11, the reads start in 10, 11 and
// 12, and their values arrive 3 cycles later. In a blocking bank a read keeps the port for its whole latency: the
// reads start in 10, 10 + 3 and 10 + 2*3.
func Example() {
	for _, blocking := range []bool{false, true} {
		d := wire.NewDomain("Core", 1e9)
		var reg stats.Registry
		b, err := bank.New("Bank", d, bank.Spec{
			Timing:  bank.Timing{ReadLatency: 3, WriteLatency: 1, Blocking: blocking},
			Entries: 64, Ports: bank.Single, Slices: 1,
		}, false, &reg)
		if err != nil {
			fmt.Println(err)
			return
		}
		arbiter := wiretest.NewSource("Arbiter", d, &b.In)
		crossbar := wiretest.NewLooseSink[bank.Value]("Crossbar", d, 4)
		b.Connect(&crossbar.In) // the link's latency is the bank's
		for i := range uint32(3) {
			arbiter.Send(9+uint64(i), bank.Access{Kind: bank.Read, Entry: i, Tag: i,
				Content: version.Content{Lanes: version.FullMask}})
		}
		d.RunUntil(100)
		fmt.Println("blocking:", blocking)
		for _, v := range crossbar.Got {
			fmt.Printf("  cycle %d: value of read %d\n", v.Cycle, v.Msg.Tag)
		}
		fmt.Println("  reads:", reg.Snapshot()["regfile.bank.reads.operand"])
	}
	// Output:
	// blocking: false
	//   cycle 13: value of read 0
	//   cycle 14: value of read 1
	//   cycle 15: value of read 2
	//   reads: 3
	// blocking: true
	//   cycle 13: value of read 0
	//   cycle 16: value of read 1
	//   cycle 19: value of read 2
	//   reads: 3
}
