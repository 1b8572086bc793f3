package cache

import (
	"testing"

	"kumiko/memsys/req"
)

// there reports whether all of a line is there.
func (c *core) there(addr uint64) bool { return c.Has(c.Find(addr), req.AllSectors) }

func TestATouchThatIsNotTimedBringsALineInAndReplacesTheOneLeastUsed(t *testing.T) {
	c := newCore(t, small())
	for _, addr := range []uint64{0, 256, 512} { // of one set of two ways
		c.Touch(addr, req.AllSectors, false)
	}
	if c.there(0) || !c.there(256) || !c.there(512) {
		t.Errorf("%v %v %v, want the first line gone", c.there(0), c.there(256), c.there(512))
	}
}

func TestAPresentLineIsReplacedLastAfterATouch(t *testing.T) {
	c := newCore(t, small())
	c.Touch(0, req.AllSectors, false)
	c.Touch(256, req.AllSectors, false)
	c.TouchFound(0)
	c.TouchFound(1024) // is not there
	c.Touch(512, req.AllSectors, false)
	if !c.there(0) || c.there(256) || c.there(1024) {
		t.Errorf("%v %v %v, want the first line alone", c.there(0), c.there(256), c.there(1024))
	}
}

func TestALineThatIsDirtyOrAwaitedIsNotForgotten(t *testing.T) {
	c := newCore(t, small())
	c.Touch(0, req.AllSectors, false)
	c.Touch(256, req.AllSectors, true)
	m := c.missed(128, 1, 7)
	for _, addr := range []uint64{0, 128, 256, 1024} {
		c.Forget(addr)
	}
	if c.there(0) || !c.there(256) {
		t.Errorf("%v %v, want the clean line gone and the dirty one there", c.there(0), c.there(256))
	}
	if got := c.come(m, 1); len(got) != 1 || got[0] != 7 {
		t.Errorf("%v is answered, want 7", got)
	}
}

func TestATouchTellsWhatItAsksTheMemoryBehindFor(t *testing.T) {
	c := newCore(t, small())
	if got := c.Touch(0, 3, false); got != 3 {
		t.Errorf("sectors %b are missing of a line that is not there, want 11", got)
	}
	if got := c.Touch(0, 7, false); got != 4 {
		t.Errorf("sectors %b are missing where two of three are there, want 100", got)
	}
	if got := c.Touch(256, 1, true); got != 0 {
		t.Errorf("sectors %b are missing that are written, want none", got)
	}
	if got := c.Touch(256, 1, false); got != 0 {
		t.Errorf("sectors %b are missing that were written, want none", got)
	}
}
