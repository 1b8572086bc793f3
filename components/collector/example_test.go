package collector_test

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/collector"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// One operand collector and its surroundings: a scheduler issuing operations, an arbiter receiving the requests, a
// crossbar delivering values, an execution unit. Every link has a latency of one cycle.
//
// Both operations read R4 and R5 of warp 0, in banks 4 mod 4 = 0 and 5 mod 4 = 1. The first one is sent in cycle 9,
// and gets the collector in 10; the arbiter sees its request in 11. Here the values are at the collector in 15 and
// 16; with the last one the operation leaves, and is at its unit in 17. Only then, in cycle 16, can the second one
// get the collector: its request is seen in 17.
func Example() {
	d := wire.NewDomain("Core", 1e9)
	var reg stats.Registry
	index, err := bank.NewIndex(bank.ByRegister, 4, 1, 32, 1) // 4 banks, 1 warp of 32 registers
	if err != nil {
		fmt.Println(err)
		return
	}
	s := collector.Spec{
		Intake: collector.Intake{Inputs: 2}, Kinds: []collector.Kind{{Count: 1, Units: 1}}, Accept: 1, Room: 4,
		Schedulers: 1, Units: 1, Index: index,
	}
	set, err := collector.New("Collectors", d, s, nil, &reg)
	if err != nil {
		fmt.Println(err)
		return
	}
	scheduler := wiretest.NewSource("Scheduler", d, &set.Issue[0])
	crossbar := wiretest.NewSource("Crossbar", d, &set.Operand)
	arbiter := wiretest.NewSink("Arbiter", d, &set.Request, s.RequestRoom())
	unit := wiretest.NewSink("Unit", d, &set.Ready[0], 2)

	add := &ir.Inst{}
	add.T.NSrc = uint8(copy(add.T.Src[:], []ir.RegID{4, 5}))
	for tag := range uint32(2) {
		scheduler.Send(9, op.Op{Inst: add, Tag: tag + 1, Exec: 0xffffffff})
	}
	crossbar.Send(14, bank.Value{To: 0, Slot: 0}) // To names the collector, Slot the source
	crossbar.Send(15, bank.Value{To: 0, Slot: 1})
	d.RunUntil(100)
	for _, r := range arbiter.Got {
		fmt.Printf("cycle %d: the arbiter sees reads of banks %v for operation %d\n", r.Cycle, r.Msg.Bank[:r.Msg.N],
			r.Msg.Tag)
	}
	for _, o := range unit.Got {
		fmt.Printf("cycle %d: the unit has operation %d\n", o.Cycle, o.Msg.Tag)
	}
	// Output:
	// cycle 11: the arbiter sees reads of banks [0 1] for operation 1
	// cycle 17: the arbiter sees reads of banks [0 1] for operation 2
	// cycle 17: the unit has operation 1
}
