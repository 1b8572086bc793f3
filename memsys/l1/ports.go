package l1

import (
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Ports are the ports between a first-level cache and its SM. The cache is
// a Cache or a register file holding the lines. Links have a latency of 1 cycle,
// except the link of Hit.
type Ports struct {
	In    *wire.InPort[req.Txn]     // from the coalescer, in order
	Hit   *wire.OutPort[req.Done]   // to the access unit: hits, and stores written into the cache
	Fill  *wire.OutPort[req.Done]   // to the access unit: transactions answered after a reply
	Miss  *wire.OutPort[req.Packet] // to the interconnect
	Reply *wire.InPort[req.Packet]
	// Missed goes to the access unit: see Tags.NoteMisses. Nil: misses are not reported.
	Missed *wire.OutPort[req.Missed]

	HitLatency int // of Hit's link, in cycles, at least 1
	HitStages  int // stages of the hit pipeline, at least HitLatency: each has room for Hits messages
	Hits       int // most messages on Hit in a cycle
	Fills      int // most messages on Fill in a cycle; 0: one
	MissQueue  int // capacity in packets
}

// mostHits returns the most transactions looked up in a cycle.
func (s *Spec) mostHits() int {
	if s.TagBanks > 1 {
		return s.TagBanks
	}
	return s.Banks
}

// fills returns the most transactions answered after a reply in a cycle. Measured loads that wait for a line pass as
// fast as loads that hit (lab/docs/silicon.md), so the tag banks answer as many as they look up.
func (s *Spec) fills() int { return s.TagBanks }
