package sharing

// slot is the inverse of pair, for CTAs of pairs.
func (p *plan) slot(pair, side int) int {
	if side == 0 {
		return pair
	}
	return p.pairs + p.unshared + pair
}
