package l1

import (
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Lines are the lines of a cache, for accesses that are not timed.
type Lines struct {
	core  *cache.Core[req.Done]
	store int // write policy of global stores
}

// Lines are those of the cache itself.
func (c *Tags) Lines() Lines { return Lines{c.core, c.policy[0]} }

// Shadow are lines of their own, of a cache as large as this one is now, without a line.
func (c *Tags) Shadow() Lines { return Lines{c.core.Empty(), c.policy[0]} }

// Load touches sectors of a line as a load does, and returns the sectors to fetch from the L2.
func (t Lines) Load(addr uint64, sectors uint8) (missing uint8) {
	return t.core.Touch(addr, sectors, false)
}

// Store does to sectors of a line what a global store does, by the policy for these, and what an atomic does, which
// drops the line.
func (t Lines) Store(addr uint64, sectors uint8, atomic bool) {
	switch {
	case atomic || t.store == evict:
		t.core.Forget(addr)
	case t.store == back:
		t.core.Touch(addr, sectors, true)
	default:
		t.core.TouchFound(addr)
	}
}
