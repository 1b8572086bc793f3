package l1

import (
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Lines gives untimed access to the lines of a cache.
type Lines struct {
	core  *cache.Core[req.Done]
	store int // write policy of global stores
}

// Lines returns the lines of the cache itself.
func (c *Tags) Lines() Lines { return Lines{c.core, c.policy[0]} }

// Shadow returns separate lines of an empty cache of the present size.
func (c *Tags) Shadow() Lines { return Lines{c.core.Empty(), c.policy[0]} }

// Load touches sectors of a line as a load does, and returns the sectors to fetch from the L2.
func (t Lines) Load(addr uint64, sectors uint8) (missing uint8) {
	return t.core.Touch(addr, sectors, false)
}

// Store updates sectors of a line as a global store does, by the write policy of global stores, or as an atomic
// does: an atomic drops the line.
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
