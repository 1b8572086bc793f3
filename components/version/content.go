package version

// FullMask has every lane of a warp.
const FullMask = ^uint32(0)

// Content is the content of one place of storage for a warp register: for each lane the sequence number of the
// write of its value, or none. The zero value holds nothing.
//
// A content is a list of pieces, newest first; where pieces overlap, the newer one counts. Pieces never change once
// made, so contents may be copied and shared freely. A content has at most one piece per lane.
type Content struct {
	Seq   uint32 // version of the newest piece
	Lanes uint32 // lanes of the newest piece
	older *Content
}

// Write returns the content after a write of version seq to the given lanes. It allocates only if some of the old
// content stays visible beside the new. A write to no lanes changes nothing.
func (c Content) Write(seq, lanes uint32) Content {
	if lanes == FullMask || c.older == nil && c.Lanes&^lanes == 0 && lanes != 0 {
		return Content{Seq: seq, Lanes: lanes}
	}
	if lanes == 0 {
		return c
	}
	old := c // its address escapes: only here, not on the fast path
	return Content{Seq: seq, Lanes: lanes, older: old.visible(lanes)}
}

// visible returns the list of c's pieces with a lane outside hidden. Its tail is shared with c as far as no piece
// of the tail is dropped.
func (c *Content) visible(hidden uint32) *Content {
	var keep [32]*Content
	n := 0
	shared := 0 // keep[shared:] is a tail of c's own list
	for p := c; p != nil; p = p.older {
		if p.Lanes&^hidden == 0 {
			shared = n
			continue
		}
		hidden |= p.Lanes
		keep[n] = p
		n++
	}
	// A tail with dropped pieces at its end is not shared either: shared = n then.
	var list *Content
	if shared < n {
		list = keep[shared]
	}
	for i := shared - 1; i >= 0; i-- {
		list = &Content{Seq: keep[i].Seq, Lanes: keep[i].Lanes, older: list}
	}
	return list
}

// Overlay returns the content after writing every lane held by d over c.
func (c Content) Overlay(d Content) Content {
	if d.older == nil {
		return c.Write(d.Seq, d.Lanes)
	}
	var list [32]*Content
	n := 0
	for p := &d; p != nil; p = p.older {
		list[n] = p
		n++
	}
	for i := n - 1; i >= 0; i-- {
		c = c.Write(list[i].Seq, list[i].Lanes)
	}
	return c
}

// Only returns the content restricted to the given lanes.
func (c Content) Only(lanes uint32) Content {
	if c.older == nil {
		c.Lanes &= lanes
		if c.Lanes == 0 {
			c.Seq = 0
		}
		return c
	}
	var list [32]Content
	n := 0
	for p := &c; p != nil; p = p.older {
		if m := p.Lanes & lanes; m != 0 {
			list[n] = Content{Seq: p.Seq, Lanes: m}
			lanes &^= m
			n++
		}
	}
	var out Content
	for i := n - 1; i >= 0; i-- {
		out = out.Write(list[i].Seq, list[i].Lanes)
	}
	return out
}

// Lane returns the version of lane l, 0 for none.
func (c Content) Lane(l int) uint32 {
	bit := uint32(1) << (l & 31)
	for p := &c; p != nil; p = p.older {
		if p.Lanes&bit != 0 {
			return p.Seq
		}
	}
	return 0
}

// Mask returns the lanes holding a version.
func (c Content) Mask() uint32 {
	m := c.Lanes
	for p := c.older; p != nil; p = p.older {
		m |= p.Lanes
	}
	return m
}

// EqualOn reports whether c and d hold the same version, or both none, in each of
// the given lanes.
func (c *Content) EqualOn(d *Content, lanes uint32) bool {
	if c.Lanes&d.Lanes&lanes == lanes {
		return c.Seq == d.Seq || lanes == 0
	}
	return c.differ(d, lanes) == 0
}

// differ returns the given lanes with different contents in c and d.
func (c *Content) differ(d *Content, lanes uint32) uint32 {
	var same uint32
	left := lanes
	for p := c; p != nil && left != 0; p = p.older {
		mine := p.Lanes & left
		left &^= mine
		for q := d; q != nil && mine != 0; q = q.older {
			both := q.Lanes & mine
			mine &^= both
			if q.Seq == p.Seq {
				same |= both
			}
		}
	}
	same |= left &^ d.Mask() // none in both
	return lanes &^ same
}
