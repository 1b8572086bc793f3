package tagarray

// Present reports whether entry i holds a line.
func (a *Array) Present(i int) bool { return a.line[i] != none }

// Addr is the address of the line in entry i.
func (a *Array) Addr(i int) uint64 { return a.line[i] << a.shift }

// Valid is the set of sectors of entry i that can be read.
func (a *Array) Valid(i int) uint8 { return a.valid[i] }

// Dirty is the set of sectors of entry i that differ from the memory behind.
// A sector may be dirty without being valid: it was written in part, and the
// rest has not been fetched.
func (a *Array) Dirty(i int) uint8 { return a.dirty[i] }

// Pending is the set of sectors of entry i that are on their way. An entry
// with a pending sector is reserved: it is never a victim.
func (a *Array) Pending(i int) uint8 { return a.pending[i] }

// Kind is the label that the owner gave the line in entry i.
func (a *Array) Kind(i int) uint8 { return a.kind[i] }

// SetKind relabels the line in entry i; kinds are below 16.
func (a *Array) SetKind(i int, kind uint8) { a.kind[i] = kind }

// Touch makes entry i the most recently used of its set; only lru cares.
func (a *Array) Touch(i int) {
	if !a.lru {
		return
	}
	a.clock++
	a.stamp[i] = a.clock
}

// Reserve marks sectors of entry i as on their way.
func (a *Array) Reserve(i int, sectors uint8) { a.pending[i] |= sectors }

// Fill marks sectors of entry i as arrived and valid.
func (a *Array) Fill(i int, sectors uint8) {
	a.valid[i] |= sectors
	a.pending[i] &^= sectors
}

// Write marks sectors of entry i as dirty; those in full, of which every byte
// is written, become valid.
func (a *Array) Write(i int, sectors, full uint8) {
	a.dirty[i] |= sectors
	a.valid[i] |= full
}

// Update records a write of sectors of entry i that the memory behind gets too:
// those in full become valid, the others stay what they are.
func (a *Array) Update(i int, full uint8) { a.valid[i] |= full }

// Clean marks sectors of entry i as equal to the memory behind.
func (a *Array) Clean(i int, sectors uint8) { a.dirty[i] &^= sectors }
