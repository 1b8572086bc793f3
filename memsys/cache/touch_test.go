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

func TestALineThatIsTouchedWhereItIsFoundIsTheLastThatGoes(t *testing.T) {
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
