package bank

import (
	"cmp"
	"fmt"
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
)

// Bank is one register-file bank.
//
// The fields used by most accesses come first, on as few lines of a host's cache as possible: banks tick more often
// than any other block.
type Bank struct {
	In  wire.InPort[Access]
	Out wire.OutPort[Value]

	budget   Budget // accesses started in one cycle
	blocking bool
	sideFrom uint8
	slices   uint8
	store    []version.Content // nil unless checking

	sliceReads, sliceWrites uint64
	groupReads, groupWrites uint64
	reads, writes           [NumCauses]uint64 `soft:"statistics"`

	Side  wire.OutPort[Value] // with Spec.SideFrom
	ports Calendar            // of a blocking bank
	spec  Spec
	wire.Comp
}

// New builds a bank. With check on it keeps the version content of every entry.
func New(name string, d *wire.Domain, s Spec, check bool, reg *stats.Registry) (*Bank, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	b := &Bank{spec: s, budget: s.Ports.Budget(), blocking: s.Blocking, sideFrom: uint8(s.SideFrom),
		slices: uint8(s.Slices), ports: NewCalendar(&s)}
	if check {
		b.store = make([]version.Content, s.Entries)
	}
	b.Init(name, d, b)
	if s.Room == 0 {
		s.Room = 2 * s.Ports.Count()
	}
	b.In.Init(&b.Comp, "In", s.Room)
	b.Out.Init(&b.Comp, "Out")
	if s.SideFrom > 0 {
		b.Side.Init(&b.Comp, "Side")
	}
	b.register(reg)
	return b, nil
}

func (b *Bank) register(reg *stats.Registry) {
	s := &b.spec
	causes, prefix, of := s.Causes, cmp.Or(s.Prefix, "regfile.bank"), cmp.Or(s.Of, "banks")
	if causes == 0 {
		causes = 1<<Operand | 1<<Result
	}
	for c := Operand; c < NumCauses; c++ {
		if causes>>c&1 == 0 {
			continue
		}
		if c != Result {
			reg.Count(prefix+".reads."+c.String(), stats.Accesses, "warp registers read from "+of+", cause: "+
				c.String(), b.Name(), &b.reads[c])
		}
		if c != Operand {
			reg.Count(prefix+".writes."+c.String(), stats.Accesses, "warp registers written to "+of+", cause: "+
				c.String(), b.Name(), &b.writes[c])
		}
	}
	reg.Count(prefix+".group_reads", stats.Accesses, "128-bit groups of four lanes read from "+of+
		": those with an active lane", b.Name(), &b.groupReads)
	reg.Count(prefix+".group_writes", stats.Accesses, "128-bit groups of four lanes written to "+of+
		": those with an active lane", b.Name(), &b.groupWrites)
	if s.Prefix != "" {
		return // slices are counted for the main file only
	}
	reg.Count(prefix+".slice_reads", stats.Accesses, "SRAM arrays read: slices of a bank with an active lane", b.Name(),
		&b.sliceReads)
	reg.Count(prefix+".slice_writes", stats.Accesses, "SRAM arrays written: slices of a bank with an active lane",
		b.Name(), &b.sliceWrites)
}

// Connect joins Out to a port. Values become visible there ReadLatency cycles after the start of their read.
func (b *Bank) Connect(in *wire.InPort[Value]) { wire.Connect(&b.Out, in, b.spec.ReadLatency) }

// ConnectSide does the same with Side.
func (b *Bank) ConnectSide(in *wire.InPort[Value]) { wire.Connect(&b.Side, in, b.spec.ReadLatency) }

// Tick starts waiting accesses in order, until one finds no port or no space at its output.
func (b *Bank) Tick(now wire.Cycle) bool {
	left := b.budget
	for a := b.In.Head(); a != nil; a = b.In.Head() {
		if a.Kind == Read {
			out := b.output(a)
			v := out.Offer()
			if v == nil {
				return false // woken when there is room
			}
			if b.blocking && !b.ports.Take(now, Read) || !left.TakeRead() {
				return true
			}
			b.read(a, v)
			out.PutSlot()
		} else {
			if b.blocking && !b.ports.Take(now, Write) || !left.TakeWrite() {
				return true
			}
			b.write(a)
		}
		b.In.Pop()
	}
	return false
}

// output returns the output port for the value of a read.
func (b *Bank) output(a *Access) *wire.OutPort[Value] {
	if b.toSide(a) {
		return &b.Side
	}
	return &b.Out
}

// toSide reports whether the value of a read leaves by Side.
func (b *Bank) toSide(a *Access) bool { return b.sideFrom > 0 && a.To >= b.sideFrom }

// read fills in the value of a read.
func (b *Bank) read(a *Access, v *Value) {
	b.reads[a.Cause]++
	b.count(a.Content.Lanes, &b.sliceReads, &b.groupReads)
	if b.store != nil {
		v.Content = b.store[a.Entry]
	} else {
		v.Content = version.Content{}
	}
	v.Tag, v.To, v.Slot, v.Cause = a.Tag, a.To, a.Slot, a.Cause
	if b.toSide(a) {
		v.To -= b.sideFrom
	}
}

func (b *Bank) write(a *Access) {
	b.writes[a.Cause]++
	lanes := a.Content.Lanes
	if b.store != nil {
		s := &b.store[a.Entry]
		if a.Kind == Fill {
			*s = a.Content
		} else {
			*s = s.Overlay(a.Content)
		}
		lanes = a.Content.Mask()
	}
	if a.Kind == Packed {
		lanes = version.FullMask >> (lanesPerWarp - GroupLanes*int(a.Slot))
	}
	b.count(lanes, &b.sliceWrites, &b.groupWrites)
}

// count adds to slices and groups the bank slices and lane groups activated by an access of the given lanes.
func (b *Bank) count(lanes uint32, slices, groups *uint64) {
	g := LaneGroups(lanes)
	*groups += g
	if b.slices == lanesPerWarp/GroupLanes {
		*slices += g
		return
	}
	*slices += b.slicesOf(lanes)
}

const lanesPerWarp = 32

// GroupLanes is the number of lanes sharing an SRAM word of 128 bits: a cluster of Gebhart et al., ISCA 2011,
// section 2.1. Energy is counted per access of a group.
const GroupLanes = 4

// LaneGroups counts the groups of four lanes containing at least one of the given lanes.
func LaneGroups(lanes uint32) uint64 {
	lanes |= lanes >> 1
	lanes |= lanes >> 2
	return uint64(bits.OnesCount32(lanes & 0x1111_1111))
}

// slicesOf counts the slices holding at least one of the given lanes.
func (b *Bank) slicesOf(lanes uint32) uint64 {
	if b.slices == 1 {
		if lanes == 0 {
			return 0
		}
		return 1
	}
	n := uint64(0)
	for w := lanesPerWarp / b.slices; lanes != 0; lanes >>= w {
		if lanes&(1<<w-1) != 0 {
			n++
		}
	}
	return n
}

// Spec returns the specification of the bank.
func (b *Bank) Spec() *Spec { return &b.spec }

// Holds returns the version content of an entry, or the zero Content if checking is off.
func (b *Bank) Holds(entry int) version.Content {
	if b.store == nil {
		return version.Content{}
	}
	return b.store[entry]
}

// Alter changes the version content of an entry without an access. Tests inject faults with it. Checking must be
// on.
func (b *Bank) Alter(entry int, f func(version.Content) version.Content) {
	b.store[entry] = f(b.store[entry])
}

// Waiting reports the number of accesses waiting to start.
func (b *Bank) Waiting() string {
	if b.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%d accesses wait to start", b.In.Len())
}
