package bank

// A warp context has a place in the banks, where all its registers lie. A design may
// add places and give the registers of a context from a number on, its upper
// registers, one of them: alone or together with other contexts.

// NoSplit is beyond any register; see Split.
const NoSplit = 256

// AddPlaces adds n places beside those of the contexts, each as large as theirs. It
// is called once, before banks of Entries are built.
func (x *Index) AddPlaces(n int) {
	for w := range x.shift {
		x.upper = append(x.upper, uint16(w))
	}
	for i := range n {
		x.shift = append(x.shift, x.shiftOf(len(x.upper)+i))
	}
}

// Split says from which number on, at least 0, registers are upper ones; NoSplit:
// none are. What contexts hold is lost.
func (x *Index) Split(first int) { x.split = min(first, NoSplit) }

// Lift gives the upper registers of a context an added place, counted from 0; a
// negative one: the context's own, as it is after AddPlaces. No operation of the
// context may be under way.
func (x *Index) Lift(warp uint16, place int) {
	if place < 0 {
		x.upper[warp] = warp
		return
	}
	x.upper[warp] = uint16(len(x.upper) + place)
}
