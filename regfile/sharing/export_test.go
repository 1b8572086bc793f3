package sharing

// GrantEverything makes the locks grant every request, even with another holder: a fault to be found by the operand
// check.
func (f *File) GrantEverything() { f.locks.unsafe = true }

// slot is the inverse of pair, for CTAs of pairs.
func (p *plan) slot(pair, side int) int {
	if side == 0 {
		return pair
	}
	return p.pairs + p.unshared + pair
}
