package bank

import "slices"

// All registers of a warp context lie at one place in the banks. By default this is the place of the context's
// number. A design with more resident contexts than places moves contexts between places with Put. A design may
// also add places, and put the upper registers of a context, from a given number on, at an added place: alone or
// together with other contexts.

// NoSplit is above any register number; see Split.
const NoSplit = 256

// Put assigns the place of a number, below the number of contexts, to a context. Sharing the place with other
// contexts is the caller's business. No operation of the context may be in flight. Put must not be used with added
// places.
func (x *Index) Put(warp uint16, place int) { x.locations[warp] = x.locate(place) }

// AddPlaces adds n places of the same size as the contexts' own. It is called once, before banks of Entries are
// built.
func (x *Index) AddPlaces(n int) {
	x.upper = append(x.upper, x.locations...)
	x.places += n
}

// Split sets the first upper register, at least 0; NoSplit: no register is upper. The contents of all contexts are
// lost.
func (x *Index) Split(first int) { x.split, x.splits = min(first, NoSplit), nil }

// SplitOf sets the first upper register of one context, not below that of Split, until the next Split. No operation
// of the context may be in flight.
func (x *Index) SplitOf(warp uint16, first int) {
	if x.splits == nil {
		x.splits = slices.Repeat([]uint16{uint16(x.split)}, len(x.locations))
	}
	x.splits[warp] = uint16(max(x.split, min(first, NoSplit)))
}

// Lift moves the upper registers of a context to an added place, counted from 0. A negative place means the
// context's own, as after AddPlaces. No operation of the context may be in flight.
func (x *Index) Lift(warp uint16, place int) {
	x.upper[warp] = x.locations[warp]
	if place >= 0 {
		x.upper[warp] = x.locate(len(x.locations) + place)
	}
}
