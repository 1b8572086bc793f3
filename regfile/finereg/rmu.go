package finereg

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
	"kumiko/regfile/internal/moving"
)

// RMU is the register management unit. It knows the live registers, and moves them between the ACRF and the PCRF.
type RMU struct {
	wire.Comp
	moving.File
	spec Spec

	Orders  wire.InPort[regfile.Move]
	Answers wire.OutPort[regfile.Moved]
	ToPCRF  wire.OutPort[Access]
	Taken   wire.InPort[Taken]

	vectors vectors
	chains  chains
	most    int     // most registers of a warp
	where   []place `soft:"known from the rows of State, as State says"` // by register: context x most + number
	awaited awaited

	step  step
	until wire.Cycle
	need  int             // live registers of the warps looked up
	live  []intervals.Set `row:"RMU: live vectors of the CTA that goes"` // of the warps of the order looked up so far
	move  transfer

	counters counters
	since    wire.Cycle
}

// place is the place of a register.
type place uint8

const (
	inFile  place = iota // in the ACRF
	going                // in the ACRF, to be moved
	leaving              // on its way to the PCRF
	away                 // in the PCRF
	coming               // on its way to the ACRF, or to be brought there
	dead                 // nowhere: its warp does not read it any more
)

// step is the progress of an order.
type step uint8

const (
	idle       step = iota
	lookup          // live vectors are looked up
	settling        // writes of the leaving contexts may be on their way to the banks
	exchanging      // registers leave and enter
	ending          // late results of the entered contexts may be on their way here
)

// newRMU builds the RMU of a PCRF with at most the given number of entries.
func newRMU(env *regfile.Env, s Spec, most int) (*RMU, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if most > mostEntries {
		return nil, spec.Errorf("grows", s.Grows, "a pool of at most %d bytes for the PCRF", mostEntries*entryBytes)
	}
	n := env.Warps * env.Registers
	x := &RMU{spec: s, most: env.Registers, where: make([]place, n),
		chains: newChains(max(env.CTAs, env.Warps), most)}
	if s.Returns == ReturnWalk {
		s.Awaited = 0
	}
	x.awaited = newAwaited(s.Awaited, n)
	region, err := env.Region(tableBytes)
	if err != nil {
		return nil, err
	}
	x.vectors.base = region.Base - uint64(env.SM)*tableBytes // one table for all SMs
	x.Init(env.Name+".RegFile.RMU", env.Domain, x)
	x.Setup(&x.Comp, env, values, x.keep)
	x.Orders.Init(&x.Comp, "Orders", 2)
	x.Answers.Init(&x.Comp, "Answers")
	x.ToPCRF.Init(&x.Comp, "ToPCRF")
	x.Taken.Init(&x.Comp, "Taken", s.Latency+2)
	x.vectors.init(&x.Comp, s.Lines, s.Vector, env.Stats)
	x.counters.register(x.Name(), env.Stats)
	return x, nil
}

// tableBytes is the space for live vectors in memory. values is the number of registers of a sub-core that may wait
// for the transfer buffer, on the wires of the operand network.
const (
	tableBytes = 1 << 20
	values     = 4
)

// Tick receives messages, moves registers on, and accepts orders.
func (x *RMU) Tick(now wire.Cycle) bool {
	x.counters.occupied += uint64(x.chains.entries-x.chains.free) * (now - x.since)
	x.since = now
	for n := x.CTAs.Take(); n != nil; n = x.CTAs.Take() {
		if n.Finished && x.chains.lines[n.CTA].count > 0 {
			panic("finereg: a CTA has ended with registers in the PCRF")
		}
		x.TakeNotice(n, func(c uint16) { x.set(c, inFile) })
	}
	x.buffer()
	x.restore()
	again := x.TakeLate()
	if x.step == idle && x.Orders.Head() != nil {
		x.step, x.need, x.live = lookup, 0, x.live[:0]
	}
	x.advance(now)
	return again || x.step != idle
}

// register returns the number of a context's register among all.
func (x *RMU) register(context uint16, reg int) int { return int(context)*x.most + reg }

// set sets the place of all registers of a context.
func (x *RMU) set(context uint16, p place) {
	row := x.where[x.register(context, 0):][:x.most]
	for i := range row {
		row[i] = p
	}
}

// advance advances the order as far as possible in this cycle.
func (x *RMU) advance(now wire.Cycle) {
	switch x.step {
	case lookup:
		if m := x.Orders.Head(); x.lookUp(m) {
			x.decide(m, now)
		}
	case settling:
		if now >= x.until && x.Here(x.move.warps) {
			x.trade()
			x.step = exchanging
		}
	case exchanging:
		if x.exchange() && x.Held() == 0 {
			x.settle()
			x.step, x.until = ending, now+2
		}
	case ending:
		if now >= x.until && x.Answers.CanPut() {
			x.answer(false)
		}
	}
}

func (x *RMU) answer(refused bool) {
	x.Answers.Put(regfile.Moved{Refused: refused})
	x.Orders.Pop()
	x.step = idle
}

// lookUp looks up the live vector of the next warp, one per cycle. It reports whether all are there.
func (x *RMU) lookUp(m *regfile.Move) bool {
	for len(x.live) < len(m.PCs) && m.PCs[len(x.live)] == regfile.NoPC {
		x.live = append(x.live, intervals.Set{})
	}
	if len(x.live) == len(m.PCs) {
		return true
	}
	v, ok := x.vectors.lookUp(m.PCs[len(x.live)])
	if ok {
		x.live = append(x.live, v)
		x.need += v.Len()
	}
	return false
}

// decide starts the move of an order if there is space for the live registers of the leaving CTA: free entries, and
// the entries of the entering CTA.
func (x *RMU) decide(m *regfile.Move, now wire.Cycle) {
	room := x.chains.free
	if m.In != regfile.NoCTA {
		room += x.chains.lines[m.In].count
	}
	refused := m.Out != regfile.NoCTA && (x.chains.entries == 0 || x.need > room)
	if !refused && x.spec.Returns == ReturnTable && needs(x.live, m.Awaited) > len(x.awaited.free) {
		x.counters.unnoted++
		refused = true
	}
	if refused || m.Ask {
		if x.Answers.CanPut() {
			x.counters.asked(x.need, refused)
			x.answer(refused)
		}
		return
	}
	x.prepare(m)
	x.step, x.until = settling, now+moving.Settle
}

// keep stores a late result in its register's place. It returns false if the register is in transit, or the path
// there is taken.
func (x *RMU) keep(a *bank.Access) bool {
	i := x.register(a.Warp, int(a.Reg))
	switch x.where[i] {
	case going:
		return !x.Kept(a.Warp) && x.Forward(a)
	case inFile:
		return x.Forward(a)
	case away:
		if !x.ToPCRF.CanPut() {
			return false
		}
		if x.spec.Returns == ReturnWalk {
			x.ToPCRF.Put(x.find(a, x.chains.lines[x.Owner(a.Warp)].head))
		} else {
			x.ToPCRF.Put(Access{Kind: Patch, Entry: x.awaited.entry(i), Content: a.Content})
		}
		x.counters.late++
	case dead:
		if l := x.chains.lines[x.Owner(a.Warp)]; x.spec.Returns == ReturnWalk && l.count > 0 &&
			(x.step == idle || x.Owner(a.Warp) != x.move.from) {
			if !x.ToPCRF.CanPut() {
				return false
			}
			x.ToPCRF.Put(x.find(a, l.head))
		}
		x.counters.dropped++
	default:
		return false
	}
	return true
}

// find returns the access by which the PCRF searches the chain that begins at head for a result's register.
func (x *RMU) find(a *bank.Access, head uint16) Access {
	return Access{Kind: Find, Entry: head, Content: a.Content, Tag: Tag{Warp: x.number(a.Warp), Reg: uint8(a.Reg)}}
}

// Waiting reports the registers in transit.
func (x *RMU) Waiting() string {
	switch {
	case x.step == idle && x.Held() == 0:
		return ""
	case x.step == lookup:
		return fmt.Sprintf("a live vector comes from memory; %d are there", len(x.live))
	}
	return fmt.Sprintf("%d registers are still to go, %d to come; %d entries are free, %d results wait for registers",
		len(x.move.out)-x.move.next, x.move.left, x.chains.free, x.Held())
}
