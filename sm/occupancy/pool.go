package occupancy

// Pool is a memory of which CTAs take registers, shared memory or both.
type Pool struct {
	Bytes             int // of all CTAs together; 0: there is no such memory, or it bounds nothing
	Registers, Shared bool
}

// ByPool is the limit that such a memory sets.
const ByPool = "pool"

// registerBytes is the size of a register of a thread.
const registerBytes = 4

// ofPool is what a CTA takes of the pool, in bytes.
func (s *Spec) ofPool(p *Pool, c CTA) (bytes int) {
	if p.Registers {
		bytes += registerBytes * s.CTARegisters(c.Threads, c.Registers)
	}
	if p.Shared {
		bytes += s.CTAShared(c.SharedBytes)
	}
	return bytes
}

// byPool is how many CTAs the pool holds.
func (s *Spec) byPool(p *Pool, c CTA) int {
	if b := s.ofPool(p, c); b > 0 && p.Bytes > 0 {
		return p.Bytes / b
	}
	return unlimited
}
