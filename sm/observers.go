package sm

// Observe attaches an observer to every scheduler; nil detaches it.
func (m *SM) Observe(o Observer) { m.audience.observe(o) }

// Schedulers is the number of warp schedulers; warp context w belongs to
// scheduler w mod Schedulers.
func (m *SM) Schedulers() int { return len(m.schedulers) }

// WarpStates adds the warp-cycles that the SM's warps have spent in each state
// to sum; those of state Issued are of warps that could issue, used or not.
func (m *SM) WarpStates(sum *[NumReasons]uint64) {
	for _, s := range m.schedulers {
		s.WarpStates(sum)
	}
}
