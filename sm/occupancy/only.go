package occupancy

import "fmt"

// Only returns an SM with one resource of s, and enough of all others. The parameter names the resource, by one of
// the names of limits.
func (s SM) Only(what string) (SM, error) {
	const enough = 1 << 26
	out := s
	out.Registers, out.SharedBytes, out.Threads, out.Warps, out.CTAs = enough, enough, enough, enough, enough
	out.Pool = Pool{}
	switch what {
	case ByRegisters:
		out.Registers = s.Registers
	case ByShared:
		out.SharedBytes = s.SharedBytes
	case ByThreads:
		out.Threads = s.Threads
	case ByWarps:
		out.Warps = s.Warps
	case ByCTAs:
		out.CTAs = s.CTAs
	case ByPool:
		out.Pool = s.Pool
	default:
		return out, fmt.Errorf("found %q, expected %s, %s, %s, %s, %s or %s", what, ByRegisters, ByShared, ByPool,
			ByThreads, ByWarps, ByCTAs)
	}
	return out, nil
}
