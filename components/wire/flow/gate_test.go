package flow

import (
	"runtime"
	"sync/atomic"
	"testing"
)

func TestAGateThatOpensWhileItsWaiterGoesToSleepIsNotMissed(t *testing.T) {
	g := gate{wake: make(chan struct{}, 1)}
	// The condition becomes true after the waiter has set asleep. The goroutine that made it true polled before
	// that, and sends no wake.
	g.await(func() bool { return g.asleep.Load() })
	if g.asleep.Load() {
		t.Error("still asleep")
	}
}

func TestAnOpenedGateWakesItsSleeperOnce(t *testing.T) {
	g := gate{wake: make(chan struct{}, 1)}
	var open atomic.Bool
	done := make(chan bool)
	go func() {
		g.await(open.Load)
		done <- true
	}()
	for !g.asleep.Load() {
		runtime.Gosched() // it still looks
	}
	open.Store(true)
	g.open()
	<-done
	g.open() // nobody sleeps: no wake may be left for the next time
	if len(g.wake) != 0 {
		t.Error("a wake is left over")
	}
}
