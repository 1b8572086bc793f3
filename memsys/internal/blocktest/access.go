package blocktest

import (
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Listed is an access at listed addresses, one per executed lane.
func Listed(space ir.Space, addrs ...uint64) stream.Access {
	var a stream.Access
	a.SetList(space, &addrs, 0, len(addrs))
	return a
}
