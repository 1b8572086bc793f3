package regdram

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/internal/moving"
)

// Mover moves the registers of CTAs to memory and back.
type Mover struct {
	wire.Comp
	moving.File
	spec Spec

	Orders  wire.InPort[regfile.Move]
	Answers wire.OutPort[regfile.Moved]
	Ask     wire.OutPort[req.Packet]
	Answer  wire.InPort[req.Packet]

	region regfile.Region
	each   int               // registers of a warp, in this launch
	most   int               // most registers of a warp
	where  []place           `soft:"known from who has slots and from the order"` // by register: context x most + number
	memory []version.Content // by register; nil unless checking

	step     step
	until    wire.Cycle
	out, in  []uint16 `bits:"9" room:"32"` // contexts with leaving registers, and with entering registers
	next     int      // next of their registers to be requested
	flying   int      // registers requested, not yet arrived
	counters counters
}

// place is the place of a register.
type place uint8

const (
	inFile  place = iota // in the banks
	leaving              // requested from the banks
	away                 // in memory
	coming               // requested from the memory
	dead                 // nowhere: its warp reads none of its registers any more
)

// step is the progress of a move.
type step uint8

const (
	idle     step = iota
	settling      // writes of the leaving contexts may be on their way to the banks
	sending       // registers leave
	fetching      // registers enter
	ending        // late results of the entered contexts may be on their way here
)

func newMover(env *regfile.Env, s Spec) (*Mover, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	x := &Mover{spec: s, most: env.Registers, where: make([]place, env.Warps*env.Registers)}
	if env.Checker != nil {
		x.memory = make([]version.Content, len(x.where))
	}
	var err error
	if x.region, err = env.Region(uint64(len(x.where)) * req.LineBytes); err != nil {
		return nil, err
	}
	x.Init(env.Name+".RegFile.Mover", env.Domain, x)
	x.Setup(&x.Comp, env, s.Queue, x.keep)
	x.Orders.Init(&x.Comp, "Orders", 2)
	x.Answers.Init(&x.Comp, "Answers")
	x.Ask.Init(&x.Comp, "Ask")
	x.Answer.Init(&x.Comp, "Answer", 4)
	x.counters.register(x.Name(), env.Stats)
	return x, nil
}

// Tick receives messages, moves registers on, and accepts orders.
func (x *Mover) Tick(now wire.Cycle) bool {
	for n := x.CTAs.Take(); n != nil; n = x.CTAs.Take() {
		x.TakeNotice(n, func(c uint16) { x.set(c, inFile) })
	}
	x.sendAway()
	x.takeReplies()
	again := x.TakeLate()
	if x.step == idle {
		x.begin(now)
	}
	x.advance(now)
	return again || x.step != idle
}

// register returns the number of a context's register among all.
func (x *Mover) register(context uint16, reg int) int { return int(context)*x.most + reg }

// set sets the place of all registers of a context.
func (x *Mover) set(context uint16, p place) {
	row := x.where[x.register(context, 0):][:x.most]
	for i := range row {
		row[i] = p
	}
}

// begin accepts an order. There is always space, because admission ensures it.
func (x *Mover) begin(now wire.Cycle) {
	m := x.Orders.Head()
	if m == nil || !x.Answers.CanPut() {
		return
	}
	if m.Ask {
		x.Answers.Put(regfile.Moved{})
		x.Orders.Pop()
		return
	}
	x.out, x.in, x.next = x.out[:0], x.in[:0], 0
	for i, c := range m.Contexts {
		if x.Owner(c) != m.Out {
			continue // it belongs to another CTA by now
		}
		x.Away(c)
		if m.PCs[i] == regfile.NoPC {
			x.set(c, dead)
			x.Vacate(c)
			continue
		}
		x.out = append(x.out, c)
	}
	if m.In != regfile.NoCTA {
		for c := range x.Contexts(m.In) {
			if x.where[x.register(c, 0)] == away {
				x.in = append(x.in, c)
			}
		}
	}
	x.step, x.until = settling, now+moving.Settle
}

// advance moves registers on.
func (x *Mover) advance(now wire.Cycle) {
	switch x.step {
	case settling:
		if now >= x.until && x.Here(x.out) {
			x.step = sending
		}
	case sending:
		if x.next < len(x.out)*x.each {
			x.send()
			return
		}
		if x.flying > 0 {
			return
		}
		for _, c := range x.out {
			x.Vacate(c)
		}
		for _, c := range x.in {
			x.Place(c)
		}
		x.step, x.next = fetching, 0
	case fetching:
		if x.next < len(x.in)*x.each {
			x.fetch()
			return
		}
		if x.flying > 0 || x.Held() > 0 {
			return
		}
		for _, c := range x.in {
			x.Back(c)
		}
		x.step, x.until = ending, now+2
	case ending:
		if now >= x.until && x.Answers.CanPut() {
			x.Answers.Put(regfile.Moved{})
			x.Orders.Pop()
			x.step = idle
		}
	}
}

// send requests the next leaving register from the banks.
func (x *Mover) send() {
	c, r := x.out[x.next/x.each], x.next%x.each
	if x.flying == x.spec.Queue || !x.Read(c, r, uint32(x.register(c, r))) {
		return
	}
	x.where[x.register(c, r)] = leaving
	x.flying++
	x.next++
}

// sendAway sends registers arrived from the banks to memory.
func (x *Mover) sendAway() {
	for _, s := range x.Sides() {
		for v := s.Values.Head(); v != nil && x.Ask.CanPut(); v = s.Values.Head() {
			x.write(int(v.Tag), version.FullMask)
			if x.memory != nil {
				x.memory[v.Tag] = v.Content
			}
			x.where[v.Tag] = away
			x.flying--
			x.counters.out++
			s.Values.Pop()
		}
	}
}

// write sends lanes of a register to memory.
func (x *Mover) write(register int, lanes uint32) {
	s := req.SectorsOf(lanes)
	p := x.packet(register)
	p.Kind, p.Sectors, p.Full, p.Bytes = req.Write, s, req.AllSectors&^req.SectorsOf(^lanes), req.BytesOf(lanes)
	p.Flags |= req.Posted
	x.Ask.Put(p)
}

func (x *Mover) packet(register int) req.Packet {
	p := req.Packet{Addr: x.region.Base + uint64(register)*req.LineBytes, Tag: uint32(register), Cause: req.Context}
	if x.spec.L2 == Around {
		p.Flags = req.NoAllocate
	}
	return p
}

// fetch requests the next entering register from memory.
func (x *Mover) fetch() {
	if !x.Ask.CanPut() {
		return
	}
	i := x.register(x.in[x.next/x.each], x.next%x.each)
	p := x.packet(i)
	p.Kind, p.Sectors = req.Read, req.AllSectors
	x.Ask.Put(p)
	x.where[i] = coming
	x.flying++
	x.next++
}

// takeReplies writes registers arrived from memory to the banks.
func (x *Mover) takeReplies() {
	for p := x.Answer.Head(); p != nil; p = x.Answer.Head() {
		var c version.Content
		if x.memory != nil {
			c = x.memory[p.Tag]
		}
		i := int(p.Tag)
		if !x.Fill(uint16(i/x.most), i%x.most, c) {
			return
		}
		x.where[i] = inFile
		x.flying--
		x.counters.in++
		x.Answer.Pop()
	}
}

// keep stores a late result in its register's place. It returns false if the register is in transit, or the path
// there is taken.
func (x *Mover) keep(a *bank.Access) bool {
	i := x.register(a.Warp, int(a.Reg))
	switch x.where[i] {
	case inFile:
		return (x.step != settling || !x.Kept(a.Warp)) && x.Forward(a)
	case away:
		if !x.Ask.CanPut() {
			return false
		}
		x.write(i, a.Content.Lanes)
		x.counters.late++
		x.counters.lateBytes += uint64(req.BytesOf(a.Content.Lanes))
		if x.memory != nil {
			x.memory[i] = x.memory[i].Overlay(a.Content)
		}
	case dead:
	default:
		return false
	}
	return true
}

// Waiting reports the registers in transit.
func (x *Mover) Waiting() string {
	if x.step == idle && x.Held() == 0 {
		return ""
	}
	return fmt.Sprintf("%d registers of %d warps go to memory, those of %d come; %d are on their way, %d results "+
		"wait for them",
		len(x.out)*x.each, len(x.out), len(x.in), x.flying, x.Held())
}

type counters struct{ out, in, late, lateBytes uint64 }

func (c *counters) register(block string, reg *stats.Registry) {
	reg.Count("regfile.reg-dram.registers_out", stats.Registers, "warp registers moved to memory", block, &c.out)
	reg.Count("regfile.reg-dram.registers_in", stats.Registers, "warp registers moved back from memory", block, &c.in)
	reg.Count("regfile.reg-dram.late_results", stats.Registers,
		"results written to memory because their registers were there", block, &c.late)
	reg.Count("regfile.reg-dram.late_bytes", stats.Bytes, "bytes of results written to memory because their "+
		"registers were there", block, &c.lateBytes)
}
