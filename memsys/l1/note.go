package l1

import (
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// NoteMisses enables reports of misses on Missed. A transaction then
// waits for room there, as for room in the hit pipeline.
func (c *Tags) NoteMisses() {
	c.notes = true
	c.Missed.Init(&c.Comp, "Missed")
}

// mute reports whether there is no room to report a miss.
func (c *Tags) mute() bool { return c.notes && !c.Missed.CanPut() }

// note reports a transaction not answered by the cache itself, once it has been
// served. It returns the reason.
func (c *Tags) note(t *req.Txn, r cache.Reason) cache.Reason {
	if c.notes && r == cache.Ready {
		c.Missed.Put(req.Missed{Slot: t.Slot})
	}
	return r
}
