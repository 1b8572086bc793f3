package l1

import "testing"

func TestAShadowAsksForWhatTheCacheHasAndLeavesTheCacheAlone(t *testing.T) {
	b := newBench(t, small())
	own, shadow := b.c.Tags.Lines(), b.c.Tags.Shadow()
	if got := own.Load(0, 3); got != 3 {
		t.Fatalf("an empty cache asks for sectors %b, want 11", got)
	}
	if got := shadow.Load(0, 3); got != 3 {
		t.Errorf("its shadow asks for sectors %b, want 11", got)
	}
	if shadow.Load(512, 1); own.Load(512, 1) != 1 {
		t.Error("the cache has a line that its shadow was asked for")
	}
	if got := shadow.Load(0, 3); got != 0 {
		t.Errorf("the shadow asks again for sectors %b, want none", got)
	}
}

func TestAnAtomicDropsALineAndAStoreThatGoesThroughKeepsIt(t *testing.T) {
	s := newBench(t, small()).c.Tags.Shadow()
	s.Load(0, 1)
	if s.Store(0, 1, false); s.Load(0, 1) != 0 {
		t.Error("a line is gone after a store, want it there")
	}
	if s.Store(0, 1, true); s.Load(0, 1) != 1 {
		t.Error("a line is there after an atomic, want it gone")
	}
}
