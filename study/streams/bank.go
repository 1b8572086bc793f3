package streams

import "math/bits"

// bank simulates up to 64 caches side by side: bit c of a set is configuration c. There are four modes (bit 0
// of the mode: bypass, bit 1: flush) of the sixteen sizes. Model defines the behaviour; bank applies it to sets
// of configurations.
//
// Nearly all accesses are of all lanes of the warp. For an entry with fewer lanes,
// its register's bit in part is set, and lanes has the lanes.
type bank struct {
	policy Policy
	source bool
	// Bits are configurations: all in use, and among them the ones that flush, the ones that bypass long-latency
	// results, and the ones of unlimited size.
	used, flushed, bypassing, boundless uint64

	// State of the warp's caches.
	regs    int    // registers of the kernel
	all     uint32 // lanes of the warp
	present [256]uint64
	clean   [256]uint64
	dead    [256]uint64
	part    [256]uint64
	lanes   [256][64]uint32
	full    uint64 // no entry is free
	taken   [64]uint8
	fifo    [64]ring
	recent  *recency   // of the warp's registers, shared by banks; LRU alone
	far     *[256]bool // as in Model's entries, shared by banks; Aware alone

	whole                  uint64 // clusters of all
	hits                   accesses
	flush, flushDead       accesses // of entries with all lanes of the warp
	evict, partial, parted written
}

// written counts the writes of each configuration to the main file for one cause.
type written struct{ live, dead [64]Accesses }

// Modes of a configuration within a bank.
const (
	modeBypass = 1 << iota
	modeFlush
	modes
)

// sizeOf is the number of entries of a configuration, 0 for unlimited ones.
var sizeOf [64]uint8

func init() {
	for c := range sizeOf {
		sizeOf[c] = uint8(sizes[c%len(sizes)])
	}
}

// hasMode reports whether a kind of cache has a mode: every mode for a cache of results
// alone, the published modes for others.
func hasMode(p Policy, source bool, mode int) bool {
	switch combined := mode == modeBypass|modeFlush; {
	case p == Aware:
		return combined
	case source:
		return mode == 0 || combined
	}
	return true
}

func newBank(p Policy, source bool, recent *recency, far *[256]bool) *bank {
	b := &bank{policy: p, source: source, recent: recent, far: far}
	for c := range 64 {
		bit := uint64(1) << c
		mode := c / len(sizes)
		if !hasMode(p, source, mode) {
			continue
		}
		b.used |= bit
		if mode&modeFlush != 0 {
			b.flushed |= bit
		}
		if mode&modeBypass != 0 {
			b.bypassing |= bit
		}
		if sizes[c%len(sizes)] == All {
			b.boundless |= bit
		}
	}
	return b
}

// begin starts a warp with the given lanes and empty caches.
func (b *bank) begin(regs int, all uint32) {
	b.regs, b.all, b.whole = regs, all, uint64(clusters(all))
	clear(b.present[:regs])
	b.full = 0
	b.taken = [64]uint8{}
	b.fifo = [64]ring{}
}

// read is Model.Read in every configuration.
func (b *bank) read(r uint8, mask uint32, k int, last bool) {
	there := b.present[r]
	hit := there
	if x := there & b.part[r]; x != 0 {
		hit = b.readPart(r, mask, hit, x)
	}
	b.hits.add(hit, k)
	if last && hit != 0 {
		b.kill(r, mask, hit)
	}
	if b.source {
		b.insert(r, mask, b.used&^there)
		b.clean[r] |= b.used &^ there
		if x := there &^ hit; x != 0 {
			b.widen(r, mask, x)
		}
	}
}

// readPart handles a read of the entries with missing lanes in the set x. It returns the configurations that hit:
// all needed lanes are there. An entry with only some of the needed lanes is written back.
func (b *bank) readPart(r uint8, mask uint32, hit, x uint64) uint64 {
	for ; x != 0; x &= x - 1 {
		l, bit := b.lanes[r][bits.TrailingZeros64(x)], x&-x
		if mask&^l == 0 {
			continue
		}
		hit &^= bit
		if mask&l != 0 {
			b.back(r, bit, &b.partial)
			b.clean[r] |= bit
		}
	}
	return hit
}

// kill marks entries without a lane outside mask as dead.
func (b *bank) kill(r uint8, mask uint32, set uint64) {
	if mask == b.all {
		b.dead[r] |= set
		return
	}
	for x := set & b.part[r]; x != 0; x &= x - 1 {
		if b.lanes[r][bits.TrailingZeros64(x)]&^mask == 0 {
			b.dead[r] |= x & -x
		}
	}
}

// write is Model.Write in every configuration; past has the bypassed configurations.
func (b *bank) write(r uint8, mask uint32, past uint64) {
	if x := b.present[r] & past; x != 0 {
		b.supersede(r, mask, x)
	}
	in := b.used &^ past
	over := b.present[r] & in
	b.clean[r] &^= over
	b.dead[r] &^= over
	if x := over & b.part[r]; x != 0 {
		b.widen(r, mask, x)
	}
	b.insert(r, mask, in&^over)
}

// widen adds lanes to entries with missing lanes.
func (b *bank) widen(r uint8, mask uint32, set uint64) {
	if mask == b.all {
		b.part[r] &^= set
		return
	}
	for ; set != 0; set &= set - 1 {
		l := &b.lanes[r][bits.TrailingZeros64(set)]
		if *l |= mask; *l == b.all {
			b.part[r] &^= set & -set
		}
	}
}

// supersede removes lanes now newer in the main file from entries.
func (b *bank) supersede(r uint8, mask uint32, set uint64) {
	none := set
	if mask != b.all {
		none = 0
		for x := set; x != 0; x &= x - 1 {
			l := &b.lanes[r][bits.TrailingZeros64(x)]
			if b.part[r]&x&-x == 0 {
				*l = b.all
			}
			if *l &^= mask; *l == 0 {
				none |= x & -x
			}
		}
		b.part[r] |= set
	}
	b.drop(r, none)
}

// insert allocates entries as the youngest.
func (b *bank) insert(r uint8, mask uint32, set uint64) {
	if set == 0 {
		return
	}
	if b.policy == LRU {
		b.room(set)
	} else {
		b.enqueue(r, set&^b.boundless)
	}
	b.present[r] |= set
	b.clean[r] &^= set
	b.dead[r] &^= set
	if mask == b.all {
		b.part[r] &^= set
		return
	}
	b.part[r] |= set
	for ; set != 0; set &= set - 1 {
		b.lanes[r][bits.TrailingZeros64(set)] = mask
	}
}

// drop frees entries.
func (b *bank) drop(r uint8, set uint64) {
	b.present[r] &^= set
	set &^= b.boundless
	b.full &^= set
	for ; set != 0; set &= set - 1 {
		c := bits.TrailingZeros64(set)
		b.taken[c]--
		if b.policy != LRU {
			b.fifo[c].remove(r, int(sizeOf[c]), int(b.taken[c]))
		}
	}
}

// back counts the writes of entries to the main file under their cause.
func (b *bank) back(r uint8, set uint64, cause *written) {
	set &^= b.clean[r]
	if x := set & b.part[r]; x != 0 {
		b.backPart(r, x, cause)
		set &^= x
	}
	add(&cause.live, set&^b.dead[r], b.whole)
	add(&cause.dead, set&b.dead[r], b.whole)
}

func add(to *[64]Accesses, set, clusters uint64) {
	for ; set != 0; set &= set - 1 {
		a := &to[bits.TrailingZeros64(set)&63]
		a.Whole++
		a.Lanes += clusters
	}
}

func (b *bank) backPart(r uint8, set uint64, cause *written) {
	for ; set != 0; set &= set - 1 {
		c := bits.TrailingZeros64(set)
		to := &cause.live[c]
		if b.dead[r]>>c&1 != 0 {
			to = &cause.dead[c]
		}
		to.add(b.lanes[r][c])
	}
}

// suspend is Model.Suspend in every configuration.
func (b *bank) suspend() {
	for r := range b.regs {
		set := b.present[r] & b.flushed
		if set == 0 {
			continue
		}
		b.present[r] &^= set
		set &^= b.clean[r]
		if x := set & b.part[r]; x != 0 {
			b.backPart(uint8(r), x, &b.parted)
			set &^= x
		}
		b.flush.add(set&^b.dead[r], int(b.whole))
		b.flushDead.add(set&b.dead[r], int(b.whole))
	}
	b.full &^= b.flushed
	for x := b.flushed &^ b.boundless; x != 0; x &= x - 1 {
		c := bits.TrailingZeros64(x)
		b.taken[c] = 0
		b.fifo[c].head = 0
	}
}
