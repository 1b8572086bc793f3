package occupancy

// Pool is a memory shared by the registers and the shared memory of CTAs, or holding one of the two.
type Pool struct {
	Bytes             int // of all CTAs together; 0: there is no such memory, or it bounds nothing
	Registers, Shared bool
}

// ByPool is the name of the limit set by such a memory.
const ByPool = "pool"

// registerBytes is the size of a register of a thread.
const registerBytes = 4

// ofPool returns a CTA's share of the pool, in bytes.
func (s *Spec) ofPool(p *Pool, c CTA) (bytes int) {
	if p.Registers {
		bytes += registerBytes * s.CTARegisters(c.Threads, c.Registers)
	}
	if p.Shared {
		bytes += s.CTAShared(c.SharedBytes)
	}
	return bytes
}

// byPool returns the number of CTAs that fit in the pool.
func (s *Spec) byPool(p *Pool, c CTA) int {
	if b := s.ofPool(p, c); b > 0 && p.Bytes > 0 {
		return p.Bytes / b
	}
	return unlimited
}
