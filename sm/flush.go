package sm

// FlushCode drops the lines of the instruction cache. Nothing may be under way.
func (m *SM) FlushCode() {
	if c := m.fetch.cache; c != nil {
		c.tags.Reset()
	}
}
