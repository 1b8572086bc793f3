package arbiter_test

import (
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// The arbiter before two single-ported banks. Sent in cycle 9, the requests are
// visible in cycle 10.
//
// Requester 0 reads an entry of each bank, requester 1 two entries of bank 0, and
// a result is written to bank 0. Bank 0 can start one access per cycle, so its
// four are granted in cycles 10 to 13, the write first, then the requesters in
// turn; the bank sees each a cycle later. They wait 0, 1, 2 and 3 cycles: 6
// conflict cycles, all of reads. Bank 1 has one access and no conflict.
func ExampleBanks() {
	d := wire.NewDomain("Core", 1e9)
	var reg stats.Registry
	a, err := arbiter.NewBanks("Arbiter", d, arbiter.BanksSpec{
		Banks: 2, Readers: 2, Writers: 1, Depth: 8, ReadRoom: 4, WriteRoom: 4, Fairness: arbiter.ByTurn,
		Bank: bank.Spec{Timing: bank.Timing{ReadLatency: 1, WriteLatency: 1}, Entries: 64, Ports: bank.Single,
			Slices: 1},
	}, &reg)
	if err != nil {
		fmt.Println(err)
		return
	}
	var banks [2]*wiretest.Sink[bank.Access]
	for i := range banks {
		banks[i] = wiretest.NewSink("Bank", d, &a.Out[i], 2)
	}
	reader := [2]*wiretest.Source[bank.Request]{
		wiretest.NewSource("Collector[0]", d, &a.Read[0]), wiretest.NewSource("Collector[1]", d, &a.Read[1]),
	}
	writer := wiretest.NewSource("WriteBack", d, &a.Write[0])

	reader[0].Send(9, bank.Request{To: 0, N: 2, Bank: [4]uint8{0, 1}, Entry: [4]uint32{10, 11}})
	reader[1].Send(9, bank.Request{To: 1, N: 2, Bank: [4]uint8{0, 0}, Entry: [4]uint32{20, 21}})
	writer.Send(9, bank.Access{Bank: 0, Entry: 30, Kind: bank.Write, Cause: bank.Result})
	d.RunUntil(100)

	for b, s := range banks {
		for _, g := range s.Got {
			if g.Msg.Kind == bank.Write {
				fmt.Printf("cycle %d: bank %d writes entry %d\n", g.Cycle, b, g.Msg.Entry)
			} else {
				fmt.Printf("cycle %d: bank %d reads entry %d for requester %d\n", g.Cycle, b, g.Msg.Entry, g.Msg.To)
			}
		}
	}
	n := reg.Snapshot()
	fmt.Println("conflict cycles:", n["regfile.arbiter.read_conflicts"], "of reads,",
		n["regfile.arbiter.write_conflicts"], "of writes")
	// Output:
	// cycle 11: bank 0 writes entry 30
	// cycle 12: bank 0 reads entry 10 for requester 0
	// cycle 13: bank 0 reads entry 20 for requester 1
	// cycle 14: bank 0 reads entry 21 for requester 1
	// cycle 11: bank 1 reads entry 11 for requester 0
	// conflict cycles: 6 of reads, 0 of writes
}
