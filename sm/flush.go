package sm

// FlushCode drops the lines of the SM's instruction cache. Those of sub-cores are dropped at every
// launch. Nothing may be under way.
func (m *SM) FlushCode() {
	m.fetch.Flush()
	if m.l1i != nil {
		m.l1i.Flush()
	}
}
