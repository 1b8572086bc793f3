package l1

import (
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// NoteMisses lets the cache tell of misses on Missed from now on. A transaction then
// waits for room there, as for room in the hit pipeline.
func (c *Tags) NoteMisses() {
	c.notes = true
	c.Missed.Init(&c.Comp, "Missed")
}

// mute reports whether a miss could not be told of now.
func (c *Tags) mute() bool { return c.notes && !c.Missed.CanPut() }

// note reports a transaction not answered by the cache itself, once it has been
// served. It returns the reason.
func (c *Tags) note(t *req.Txn, r cache.Reason) cache.Reason {
	if c.notes && r == cache.Ready {
		c.Missed.Put(req.Missed{Slot: t.Slot})
	}
	return r
}
