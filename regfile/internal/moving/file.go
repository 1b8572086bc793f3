package moving

import (
	"fmt"
	"slices"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Settle is the number of cycles after which no write of an away context is still on its way to the arbiter of its
// banks.
const Settle = conventional.MaxForward + 3

// perCycle is the number of reads, and of writes, of a cycle accepted by a sub-core's arbiter. late is the capacity
// of a sub-core's Late port, in results.
const (
	perCycle = 2
	late     = 2 * ir.NumDests
)

// mostHeld is the most late results held at once while their registers are being moved. Further ones wait in the
// write-back stages.
const mostHeld = 32

// File is the register file as seen by a register-moving block. The block embeds it and calls Setup. File is the
// BankUser of the register file.
type File struct {
	CTAs wire.InPort[regfile.CTANotice]

	comp *wire.Comp

	away  wire.Signal[regfile.WarpSet]
	gone  regfile.WarpSet             `bits:"owner" room:"1"`
	kept  []func(context uint16) bool // of a regfile.Keeper
	ended []ended                     `bits:"9+8" room:"owner"` // finished contexts with places not yet free
	sides []*Side                     `part:"Side"`
	pool  *bank.Pool
	index *bank.Index
	owner []int32    `bits:"8"`              // by context: CTA slot, or regfile.NoCTA
	ctas  [][]uint16 `bits:"9" room:"owner"` // by CTA slot: contexts
	count int        // schedulers
	check bool
	queue int // capacity of Side.Values
	keep  func(*bank.Access) bool
	held  []bank.Access `bits:"type" room:"cap"` // late results for registers in transit
}

// ended is a context with a finished warp. Its place cannot be reused while registers or results may still be on
// their way there.
type ended struct {
	context uint16
	settled wire.Cycle // when no result is on its way to the file's own blocks
}

// Side has the ports between the register-moving block and one sub-core.
type Side struct {
	Read   wire.OutPort[bank.Request] // reads of registers to be moved out
	Write  wire.OutPort[bank.Access]  // writes of registers moved in, and of late results
	Values wire.InPort[bank.Value]    // values read
	Late   wire.InPort[bank.Access]   // results for warps whose registers have left the banks

	end uint8 // requester number of the block at the arbiter
}

// Setup prepares the part of the block c. queue is the number of values read that may wait in each sub-core. keep
// stores a late result in its register's place, or returns false if it has to wait.
func (f *File) Setup(c *wire.Comp, env *regfile.Env, queue int, keep func(*bank.Access) bool) {
	ctas := max(env.CTAs, env.Warps)
	f.comp = c
	f.CTAs.Init(c, "CTAs", 2*ctas+4) // notices of two cycles: residency never waits
	f.away.Init(c, regfile.WarpSet{})
	f.keep, f.held = keep, make([]bank.Access, 0, mostHeld)
	f.owner, f.ctas = make([]int32, env.Warps), make([][]uint16, ctas)
	for w := range f.owner {
		f.owner[w] = regfile.NoCTA
	}
	f.count, f.check, f.queue = env.Schedulers, env.Checker != nil, queue
}

// Use implements regfile.BankUser.
func (f *File) Use(index *bank.Index, end uint8) regfile.BankPorts {
	if f.pool == nil {
		f.index, f.pool = index, bank.NewPool(index, f.count)
	}
	c, s, i := f.comp, &Side{end: end}, len(f.sides)
	s.Read.Init(c, fmt.Sprintf("Read[%d]", i))
	s.Write.Init(c, fmt.Sprintf("Write[%d]", i))
	s.Values.Init(c, fmt.Sprintf("Values[%d]", i), f.queue).SetBehind()
	s.Late.Init(c, fmt.Sprintf("Late[%d]", i), late)
	f.sides = append(f.sides, s)
	return regfile.BankPorts{Read: &s.Read, Write: &s.Write, Reads: perCycle, Writes: perCycle, Cause: bank.Switch,
		Values: &s.Values, Away: &f.away, Late: &s.Late}
}

// Await makes the block wait for registers kept by the file outside its banks.
func (f *File) Await(file regfile.Design) {
	if k, ok := file.(regfile.Keeper); ok {
		f.kept = k.Kept()
	}
}

// Here reports whether the registers of away contexts, and their results as of Settle cycles before, are in the
// banks or at their arbiter.
func (f *File) Here(contexts []uint16) bool {
	if f.kept == nil {
		return true
	}
	for i := range f.held {
		if slices.Contains(contexts, f.held[i].Warp) {
			return false
		}
	}
	return !slices.ContainsFunc(contexts, f.Kept)
}

// Kept reports whether the file may hold a register or a result of a context outside the banks. Meanwhile a late
// result must wait: an older value could otherwise be written after it.
func (f *File) Kept(context uint16) bool {
	for _, kept := range f.kept {
		if kept(context) {
			return true
		}
	}
	return false
}

// Sides returns the sub-cores.
func (f *File) Sides() []*Side { return f.sides }

// Side returns the sub-core of a context.
func (f *File) Side(context uint16) *Side {
	return f.sides[int(context)%f.count*len(f.sides)/f.count]
}

// Checks reports whether version contents are to be kept, for a checker.
func (f *File) Checks() bool { return f.check }

// Owner returns the CTA of a context's warp, or regfile.NoCTA.
func (f *File) Owner(context uint16) int { return int(f.owner[context]) }

// Contexts iterates over the contexts still owned by the CTA. A context of a finished warp may belong to another
// CTA.
func (f *File) Contexts(cta int) func(func(uint16) bool) {
	return func(yield func(uint16) bool) {
		for _, c := range f.ctas[cta] {
			if f.Owner(c) == cta && !yield(c) {
				return
			}
		}
	}
}

// TakeNotice records the start or the end of a CTA. It calls fresh for each of its contexts: none of their
// registers is written any more.
func (f *File) TakeNotice(n *regfile.CTANotice, fresh func(context uint16)) {
	cta := int(n.CTA)
	f.sweep()
	if !n.Finished {
		f.ctas[cta] = n.Contexts
	}
	for _, c := range n.Contexts {
		if n.Finished && f.Owner(c) != cta {
			continue
		}
		if f.pool.Has(c) {
			f.leave(c, n.Finished)
		}
		f.gone.Remove(int(c))
		f.owner[c] = regfile.NoCTA
		fresh(c)
		if !n.Finished {
			f.owner[c] = int32(cta)
			f.pool.Take(c)
		}
	}
	f.away.Set(f.gone)
}

// leave frees the place of a context in which a warp has ended or a new one starts. The place of an ended warp is
// freed only when nothing is on its way there any more.
func (f *File) leave(context uint16, finished bool) {
	if finished && f.kept != nil {
		f.ended = append(f.ended, ended{context, f.comp.Now() + Settle})
		return
	}
	f.ended = slices.DeleteFunc(f.ended, func(e ended) bool { return e.context == context })
	f.pool.Leave(context, false)
}

// sweep frees the places of ended warps with nothing on its way there any more.
func (f *File) sweep() {
	left := f.ended[:0]
	for _, e := range f.ended {
		if f.comp.Now() < e.settled || f.Kept(e.context) {
			left = append(left, e)
		} else {
			f.pool.Leave(e.context, false)
		}
	}
	f.ended = left
}

// Away sends results of a context to Late from the next cycle on.
func (f *File) Away(context uint16) {
	f.gone.Add(int(context))
	f.away.Set(f.gone)
}

// IsAway reports whether results of a context are sent to Late.
func (f *File) IsAway(context uint16) bool { return f.gone.Has(int(context)) }

// Back sends results of a context to the banks from the next cycle on.
func (f *File) Back(context uint16) {
	f.gone.Remove(int(context))
	f.away.Set(f.gone)
}

// Vacate frees the place of a context, if it has one. Its registers must have been moved, or be read before another
// register is written there.
func (f *File) Vacate(context uint16) {
	if f.pool.Has(context) {
		f.pool.Leave(context, true)
	}
}

// Pass moves the place of context from to the away context to. The registers of from must be read before others are
// written there. Pass returns false, without any effect, if the contexts belong to different schedulers or from has
// no place.
func (f *File) Pass(from, to uint16) bool {
	if int(from)%f.count != int(to)%f.count || !f.pool.Has(from) {
		return false
	}
	f.pool.Pass(from, to)
	return true
}

// At returns the number of a context's place.
func (f *File) At(context uint16) int { return f.pool.At(context) }

// All returns the contexts of a CTA's warps, in order, including contexts meanwhile owned by another CTA.
func (f *File) All(cta int) []uint16 { return f.ctas[cta] }

// Place assigns a place to an away context.
func (f *File) Place(context uint16) {
	f.sweep()
	f.pool.Take(context)
}

// Read requests a register. Its value is sent to Values with the tag. Read returns false if the port is full.
func (f *File) Read(context uint16, reg int, tag uint32) bool {
	s := f.Side(context)
	if !s.Read.CanPut() {
		return false
	}
	r := s.Read.Slot()
	*r = bank.Request{Tag: tag, Lanes: version.FullMask, Warp: context, N: 1, To: s.end, Cause: bank.Switch}
	r.Bank[0], r.Entry[0] = f.index.Find(context, ir.RegID(reg))
	r.Reg[0] = ir.RegID(reg)
	s.Read.PutSlot()
	return true
}

// Fill writes a register. It returns false if the port is full.
func (f *File) Fill(context uint16, reg int, c version.Content) bool {
	s := f.Side(context)
	if !s.Write.CanPut() {
		return false
	}
	a := bank.Access{Content: version.Content{Lanes: version.FullMask}, Kind: bank.Fill, Cause: bank.Switch,
		Warp: context, Reg: ir.RegID(reg)}
	if f.check {
		a.Content = a.Content.Overlay(c)
	}
	f.put(s, &a)
	return true
}

// Held returns the number of waiting late results.
func (f *File) Held() int { return len(f.held) }

// TakeLate accepts results of away contexts, and reports whether any have to wait.
func (f *File) TakeLate() bool {
	left := f.held[:0]
	for i := range f.held {
		if !f.keep(&f.held[i]) {
			left = append(left, f.held[i])
		}
	}
	f.held = left
	for _, s := range f.sides {
		for a := s.Late.Head(); a != nil; a = s.Late.Head() {
			if !f.keep(a) {
				if len(f.held) == cap(f.held) {
					break
				}
				f.held = append(f.held, *a)
			}
			s.Late.Pop()
		}
	}
	return len(f.held) > 0
}

// Forward writes a late result to the banks. It returns false if the port is full.
func (f *File) Forward(a *bank.Access) bool {
	s := f.Side(a.Warp)
	if !s.Write.CanPut() {
		return false
	}
	f.put(s, a)
	return true
}

func (f *File) put(s *Side, a *bank.Access) {
	out := s.Write.Slot()
	*out = *a
	out.Bank, out.Entry = f.index.Find(a.Warp, a.Reg)
	s.Write.PutSlot()
}
