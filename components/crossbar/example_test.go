package crossbar_test

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/crossbar"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// Three banks send a value each, all in cycle 9, so that the crossbar sees them in cycle 10: two for collector 0,
// one for collector 1. A collector receives one value at a time.
//
// As wide as a register, the crossbar carries a value in 1 cycle: transfers start in 10, 10 and, for the second
// value for collector 0, in 11; values arrive Latency = 2 cycles after the start. The second value waited 1 cycle.
//
// At a quarter of the width a value takes 4 cycles, and arrives 2 + 4 - 1 = 5 cycles after its start. The second
// one for collector 0 starts when the first is over, in 10 + 4 = 14, and arrives in 19, after a wait of 4 cycles.
func Example() {
	for _, cycles := range []int{1, 4} {
		d := wire.NewDomain("Core", 1e9)
		var reg stats.Registry
		x, err := crossbar.New("Crossbar", d, crossbar.Spec{
			Paths: crossbar.Paths{OutputWidth: 1, Cycles: cycles, Latency: 2}, Inputs: 3, Outputs: 2, InputWidth: 1,
			InputRoom: 4,
		}, &reg)
		if err != nil {
			fmt.Println(err)
			return
		}
		var collectors [2]*wiretest.Sink[bank.Value]
		for o := range collectors {
			collectors[o] = wiretest.NewLooseSink[bank.Value]("Collector", d, 4)
			x.Connect(o, &collectors[o].In) // the link's latency is the crossbar's
		}
		for i, to := range []uint8{0, 0, 1} {
			wiretest.NewSource("Bank", d, &x.In[i]).Send(9, bank.Value{To: to, Tag: uint32(i)})
		}
		d.RunUntil(100)
		fmt.Println("cycles per register:", cycles)
		for o, c := range collectors {
			for _, v := range c.Got {
				fmt.Printf("  cycle %d: collector %d has the value of bank %d\n", v.Cycle, o, v.Msg.Tag)
			}
		}
		fmt.Println("  conflict cycles:", reg.Snapshot()["regfile.crossbar.conflicts"])
	}
	// Output:
	// cycles per register: 1
	//   cycle 12: collector 0 has the value of bank 0
	//   cycle 13: collector 0 has the value of bank 1
	//   cycle 12: collector 1 has the value of bank 2
	//   conflict cycles: 1
	// cycles per register: 4
	//   cycle 15: collector 0 has the value of bank 0
	//   cycle 19: collector 0 has the value of bank 1
	//   cycle 15: collector 1 has the value of bank 2
	//   conflict cycles: 4
}
