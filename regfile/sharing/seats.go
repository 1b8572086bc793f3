package sharing

// plan describes how the CTAs of a launch share an SM's registers.
type plan struct {
	pairs    int // S
	unshared int // U
	warps    int // per CTA
	private  int // private registers of a sharing warp
}

// on reports whether anything is shared.
func (p *plan) on() bool { return p.pairs > 0 }

// alone is the pair of an unshared CTA.
const alone = -1

// seat returns the pair of a CTA slot, and the slot's side of it. Slots are allocated lowest first. So the first S
// + U CTAs, as many as without sharing, are each first in a pair or unshared, and each further CTA becomes the
// partner of one of them.
func (p *plan) seat(slot int) (pair, side int) {
	switch base := p.pairs + p.unshared; {
	case !p.on() || slot >= p.pairs && slot < base:
		return alone, 0
	case slot < base:
		return slot, 0
	default:
		return slot - base, 1
	}
}

// slot is the inverse of seat, for CTAs of pairs.
func (p *plan) slot(pair, side int) int {
	if side == 0 {
		return pair
	}
	return p.pairs + p.unshared + pair
}

// Seat notifies the locks of the start of a CTA of a sharing launch.
type Seat struct {
	Contexts []uint16 // of its warps; not to be changed
	Pair     int16    // alone: its registers are its own
	Side     uint8
}

// Taken notifies the pairs that a CTA took a lock while its partner held none.
type Taken struct {
	Pair int16
	Side uint8
}
