package bank

// All registers of a warp context lie at a place in the banks, which is that of the
// context's number unless a design says otherwise: by Put, where more contexts are
// resident than have their registers there. A design may also add places and give the
// registers of a context from a number on, its upper registers, one of them: alone or
// together with other contexts.

// NoSplit is beyond any register; see Split.
const NoSplit = 256

// Put gives the registers of a context the place of a number, which is below that of
// contexts. What other contexts lie there is the caller's business. No operation of the
// context may be under way. It does not go with added places.
func (x *Index) Put(warp uint16, place int) { x.seats[warp] = x.seat(place) }

// AddPlaces adds n places beside those of the contexts, each as large as theirs. It
// is called once, before banks of Entries are built.
func (x *Index) AddPlaces(n int) {
	x.upper = append(x.upper, x.seats...)
	x.places += n
}

// Split sets the number, at least 0, from which on registers are upper ones; NoSplit:
// none are. The contents of all contexts are lost.
func (x *Index) Split(first int) { x.split = min(first, NoSplit) }

// Lift gives the upper registers of a context an added place, counted from 0; a
// negative one: the context's own, as it is after AddPlaces. No operation of the
// context may be under way.
func (x *Index) Lift(warp uint16, place int) {
	x.upper[warp] = x.seats[warp]
	if place >= 0 {
		x.upper[warp] = x.seat(len(x.seats) + place)
	}
}
