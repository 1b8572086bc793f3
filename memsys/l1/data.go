package l1

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Data is the data array of a first-level cache.
type Data struct {
	wire.Comp
	In  wire.InPort[Access]
	Hit wire.OutPort[req.Done]

	banks banks
}

// Access is a hit: its place in the data array, and its answer.
type Access struct {
	Place
	Done req.Done
}

// toData is the latency of the link from the tags to the data array. The link behind
// the data array is as much shorter.
const toData = 1

// newData builds the data array of a cache.
func newData(name string, d *wire.Domain, s *Spec) *Data {
	x := &Data{banks: newBanks(s)}
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", (toData+1)*s.mostHits())
	x.Hit.Init(&x.Comp, "Hit")
	return x
}

// Tick serves accesses in order, each as soon as its banks are free. The tags send none
// before.
func (x *Data) Tick(now wire.Cycle) bool {
	for a := x.In.Head(); a != nil; a = x.In.Head() {
		if at := x.banks.ready(now, &a.Place); at > now {
			x.WakeAt(at)
			return false
		}
		if !x.Hit.CanPut() {
			return false
		}
		x.banks.take(now, &a.Place)
		x.Hit.Put(a.Done)
		x.In.Pop()
	}
	return false
}

// Waiting describes the accesses waiting for banks, or for room in the hit pipeline.
func (x *Data) Waiting() string {
	if n := x.In.Len(); n > 0 {
		return fmt.Sprintf("%d hits wait for %s", n, x.Hit.Name())
	}
	return ""
}
