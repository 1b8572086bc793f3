package l2

import (
	"kumiko/components/stats"
	"kumiko/memsys/req"
)

func (l *Slice) register(r *stats.Registry) {
	n := l.Name()
	var causes []req.Cause
	for c := range req.NumCauses {
		causes = append(causes, c)
	}
	l.core.Register(r, n, "mem.l2.", "packets", "DRAM", causes)
	l.stalls.Register(r, n, "mem.l2.", "packets", "at the head of a slice")
	r.Count("mem.l2.atomic_lanes", stats.Events, "atomic operations performed, one per lane", n, &l.atomicLanes)
}
