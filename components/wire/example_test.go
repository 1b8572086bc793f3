package wire_test

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// Counter sends the numbers up to a limit, one in a cycle.
type Counter struct {
	wire.Comp
	Out   wire.OutPort[int]
	next  int
	limit int
}

// Tick sends one number. It sleeps when there is no room: the port wakes it.
func (c *Counter) Tick(wire.Cycle) bool {
	if c.next == c.limit || !c.Out.CanPut() {
		return false
	}
	c.Out.Put(c.next)
	c.next++
	return true
}

// Printer prints the numbers it receives.
type Printer struct {
	wire.Comp
	In wire.InPort[int]
}

// Tick takes one number.
func (p *Printer) Tick(now wire.Cycle) bool {
	if n := p.In.Head(); n != nil {
		fmt.Printf("cycle %d: %d\n", now, *n)
		p.In.Pop()
	}
	return p.In.Len() > 0
}

func Example() {
	e := wire.NewEngine()
	a := e.NewPartition("Left").NewDomain("Left.Clock", 1*sim.GHz)
	b := e.NewPartition("Right").NewDomain("Right.Clock", 2*sim.GHz)

	c := &Counter{limit: 3}
	c.Init("Left.Counter", a, c)
	c.Out.Init(&c.Comp, "Out")
	p := &Printer{}
	p.Init("Right.Printer", b, p)
	p.In.Init(&p.Comp, "In", 4)
	wire.Connect(&c.Out, &p.In, 4) // cycles of the sender

	e.SetWorkers(2)
	if err := e.Run(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// cycle 10: 0
	// cycle 12: 1
	// cycle 14: 2
}
