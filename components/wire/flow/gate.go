package flow

import (
	"runtime"
	"sync/atomic"
)

// gate lets one goroutine wait for another. The waiting one polls for a while, because windows are short, and then
// sleeps.
type gate struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// polls is the number of polls of a waiting goroutine before it sleeps: some tens of microseconds, longer than the
// imbalance of workers within a window of a busy machine.
const polls = 1 << 14

func (g *gate) await(ready func() bool) {
	for i := 0; i < polls; i++ {
		if ready() {
			return
		}
		if i%256 == 255 {
			runtime.Gosched()
		}
	}
	for !ready() {
		g.asleep.Store(true)
		if ready() && g.asleep.CompareAndSwap(true, false) {
			return
		}
		<-g.wake
	}
}

func (g *gate) open() {
	if g.asleep.CompareAndSwap(true, false) {
		g.wake <- struct{}{}
	}
}
