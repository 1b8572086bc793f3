package tagarray

// Addr returns the address of the line in entry i.
func (a *Array) Addr(i int) uint64 { return a.line[i] << a.shift }

// Valid returns the readable sectors of entry i.
func (a *Array) Valid(i int) uint8 { return a.valid[i] }

// Dirty returns the sectors of entry i that differ from the next level of memory. A sector may be dirty without
// being valid: it was written in part, and the rest has not been fetched.
func (a *Array) Dirty(i int) uint8 { return a.dirty[i] }

// Pending returns the requested sectors of entry i that have not arrived. An entry with a pending sector is
// reserved: it is never a victim.
func (a *Array) Pending(i int) uint8 { return a.pending[i] }

// Kind returns the label of the line in entry i, set by the owner.
func (a *Array) Kind(i int) uint8 { return a.kind[i] }

// Touch makes entry i the most recently used of its set. It has an effect with lru replacement only.
func (a *Array) Touch(i int) {
	if !a.lru {
		return
	}
	a.clock++
	a.stamp[i] = a.clock
}

// Reserve marks sectors of entry i as pending.
func (a *Array) Reserve(i int, sectors uint8) { a.pending[i] |= sectors }

// Fill marks sectors of entry i as arrived and valid.
func (a *Array) Fill(i int, sectors uint8) {
	a.valid[i] |= sectors
	a.pending[i] &^= sectors
}

// Write marks sectors of entry i as dirty. The sectors in full, with every byte written, also become valid.
func (a *Array) Write(i int, sectors, full uint8) {
	a.dirty[i] |= sectors
	a.valid[i] |= full
}

// Update records a write-through hit on entry i, with the next level written too: the sectors in full become valid,
// the others stay as they are.
func (a *Array) Update(i int, full uint8) { a.valid[i] |= full }
