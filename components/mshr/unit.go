package mshr

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Miss asks the file to remember an access that waits for sectors of a line.
type Miss struct {
	Line    uint64 // line number
	Tag     uint32 // the requester's own
	Sectors uint8
}

// Taken is the file's word on a miss. Fetch are the sectors that nobody has
// asked memory for yet: the requester asks for them. A miss that the file
// refuses stays at its port and is taken later.
type Taken struct {
	Line  uint64
	Tag   uint32
	Fetch uint8
}

// Arrival brings sectors of a line that were asked for.
type Arrival struct {
	Line    uint64
	Sectors uint8
}

// Woken is an access all of whose sectors have arrived.
type Woken struct {
	Line uint64
	Tag  uint32
}

// Unit is a file of miss status holding registers with ports: misses and
// arrivals in, what was taken and who is woken out. One miss is taken and one
// access woken per cycle; arrivals go before misses, so that a line that closes
// makes room for a miss of the same cycle.
type Unit struct {
	wire.Comp
	file *File[uint32]

	Miss    wire.InPort[Miss]
	Arrival wire.InPort[Arrival]
	Taken   wire.OutPort[Taken]
	Woken   wire.OutPort[Woken]

	open    int        // entry whose accesses are being woken, -1: none
	refused Refusal    // of the miss at the head, since the cycle
	since   wire.Cycle // in which it was refused first

	taken   uint64
	merged  uint64
	stalled [3]uint64
}

// NewUnit builds a file as a component. stat leads the names of its statistics.
func NewUnit(name, stat string, d *wire.Domain, s Spec, reg *stats.Registry) (*Unit, error) {
	f, err := New[uint32](s)
	if err != nil {
		return nil, err
	}
	u := &Unit{file: f, open: -1}
	u.Init(name, d, u)
	u.Miss.Init(&u.Comp, "Miss", 2)
	u.Arrival.Init(&u.Comp, "Arrival", 2)
	u.Taken.Init(&u.Comp, "Taken")
	u.Woken.Init(&u.Comp, "Woken")
	reg.Count(stat+".taken", stats.Accesses, "misses taken", name, &u.taken)
	reg.Count(stat+".merged", stats.Accesses, "misses of a line that was outstanding already", name, &u.merged)
	reg.Count(stat+".no_entry", stats.Cycles, "cycles in which a miss waited for an entry", name, &u.stalled[NoEntry])
	reg.Count(stat+".no_merge", stats.Cycles, "cycles in which a miss waited for room in the entry of its line", name, &u.stalled[NoMerge])
	return u, nil
}

// Tick takes arrivals, wakes an access, and takes a miss.
func (u *Unit) Tick(now wire.Cycle) bool {
	u.arrive()
	u.wake(now)
	u.miss(now)
	return u.open >= 0 && u.Woken.CanPut()
}

func (u *Unit) arrive() {
	a := u.Arrival.Head()
	if a == nil || u.open >= 0 {
		return
	}
	e := u.file.Find(a.Line)
	if e < 0 {
		panic(fmt.Sprintf("mshr: %s: line %#x arrives and nobody asked for it", u.Name(), a.Line))
	}
	u.file.Arrive(e, a.Sectors)
	u.open = e
	u.Arrival.Pop()
}

// wake sends the oldest access of the open entry that has all its sectors.
func (u *Unit) wake(now wire.Cycle) {
	if u.open < 0 || !u.Woken.CanPut() {
		return
	}
	if tag := u.file.Next(u.open); tag != nil {
		u.Woken.Put(Woken{Line: u.file.Line(u.open), Tag: *tag})
		u.file.Drop(u.open)
	}
	if u.file.Next(u.open) != nil {
		return
	}
	if u.file.Done(u.open) {
		u.file.Close(now, u.open)
	}
	u.open = -1
	if u.Arrival.Len() > 0 {
		u.Wake()
	}
}

func (u *Unit) miss(now wire.Cycle) {
	m := u.Miss.Head()
	if m == nil || !u.Taken.CanPut() {
		return
	}
	e := u.file.Find(m.Line)
	why := Accepted
	switch {
	case e < 0:
		why = u.file.CanOpen()
	default:
		why = u.file.CanAdd(e)
	}
	if why != Accepted {
		if u.refused == Accepted {
			u.refused, u.since = why, now
		}
		return // an arrival makes room
	}
	if u.refused != Accepted {
		u.stalled[u.refused] += now - u.since
		u.refused = Accepted
	}
	if e < 0 {
		e = u.file.Open(now, m.Line)
	} else {
		u.merged++
	}
	u.file.Add(e, m.Sectors, m.Tag)
	fetch := m.Sectors &^ u.file.Expected(e)
	u.file.Expect(e, fetch)
	u.Taken.Put(Taken{Line: m.Line, Tag: m.Tag, Fetch: fetch})
	u.Miss.Pop()
	u.taken++
	if u.Miss.Len() > 0 {
		u.Wake()
	}
}

// Used is the number of lines outstanding.
func (u *Unit) Used() int { return u.file.Used() }

// Waiting says how many lines are outstanding.
func (u *Unit) Waiting() string {
	if u.file.Used() == 0 && u.Miss.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%d lines outstanding, %d misses wait to be taken", u.file.Used(), u.Miss.Len())
}
