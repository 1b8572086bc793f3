package version

import (
	"fmt"
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Violation is an operand with a wrong version in some lane on arrival at an execution unit: not the newest one.
type Violation struct {
	Block    string // where the operand was seen
	Cycle    wire.Cycle
	Warp     int
	Register int    // or Predicates, for all predicates of the warp together
	Name     string // of a predicate or uniform register; otherwise empty
	Lane     int    // 0 of predicates
	Expected uint32 // the newest version: the tag of its writer
	Found    uint32 // 0: none
	// Form, if not empty, says what is wrong with the stored form of a register, not with a lane.
	Form string
	// Early is set if the checker explains: it names the reader, and the cycles between the issue of the writing
	// instruction and of the reader.
	Early string
}

// String describes the violation in words.
func (v Violation) String() string {
	found := "no version"
	if v.Found != 0 {
		found = fmt.Sprintf("version %d", v.Found)
	}
	if v.Register == Predicates {
		return fmt.Sprintf("%s: cycle %d: warp %d: predicates: %s, want version %d", v.Block, v.Cycle, v.Warp, found,
			v.Expected)
	}
	if v.Form != "" {
		return fmt.Sprintf("%s: cycle %d: warp %d: R%d: %s", v.Block, v.Cycle, v.Warp, v.Register, v.Form)
	}
	name := v.Name
	if name == "" {
		name = fmt.Sprintf("R%d", v.Register)
	}
	text := fmt.Sprintf("%s: cycle %d: warp %d: %s lane %d: %s, want version %d", v.Block, v.Cycle, v.Warp, name,
		v.Lane, found, v.Expected)
	if v.Early != "" {
		text += ": " + v.Early
	}
	return text
}

// Predicates is the Register of a violation about a warp's predicates.
const Predicates = -1

// DefaultCap is the default number of violations listed by a checker. Later violations are only counted.
const DefaultCap = 64

// never is later than every cycle.
const never = ^wire.Cycle(0)

// Checker checks the operands of one SM. A nil checker is off: its methods do nothing.
type Checker struct {
	warps, regs int
	newest      []Content // by warp and register, in program order
	predicates  []uint32  // by warp: the tag of the newest operation writing a predicate
	writers     []writer  // by warp and register, the newest; nil: not explained
	flights     ring[flight]
	elsewhere   elsewhere
	limit       int
	list        []Violation
	total       uint64
	checked     uint64
}

// flight is an operation between its issue and its dispatch to a unit.
type flight struct {
	src [ir.NumSources]Content
	by  [ir.NumSources]writer // of each source; where the checker explains
}

// writer is the writing instruction of a register, and its issue cycle.
type writer struct {
	inst *ir.Inst
	at   wire.Cycle
}

// Explain makes violations report the cycles between an instruction and the writer of its operand. It is meant for
// machines without interlocks, where issuing too early is the program's mistake.
func (k *Checker) Explain() {
	if k != nil {
		k.writers = make([]writer, k.warps*k.regs)
		k.elsewhere.writtenBy = make([]writer, k.warps*numNames)
	}
}

// before describes how many cycles after the writer w of one of its operands the instruction in was issued.
func (w writer) before(in *ir.Inst, issued wire.Cycle) string {
	if w.inst == nil {
		return ""
	}
	name := func(in *ir.Inst) string {
		if in.Sym != "" {
			return fmt.Sprintf("%s at line %d", in.Sym, in.Line)
		}
		return fmt.Sprintf("%s at line %d", in.Op, in.Line)
	}
	return fmt.Sprintf("%s was issued %d cycles after %s, whose result it reads", name(in), issued-w.at,
		name(w.inst))
}

// NewChecker returns a checker for an SM with the given numbers of warp contexts and of registers per warp. The
// checker lists up to limit violations (DefaultCap if 0).
func NewChecker(warps, registers, limit int) *Checker {
	if limit <= 0 {
		limit = DefaultCap
	}
	return &Checker{
		warps: warps, regs: registers, limit: limit,
		newest:     make([]Content, warps*registers),
		predicates: make([]uint32, warps),
		flights:    newRing[flight](),
		elsewhere: elsewhere{newest: make([]Content, warps*numNames), announced: make([]Content, warps*numNames),
			writers: newRing[uint32]()},
	}
}

// Issue records the versions required of the sources of o, and makes o the newest writer of its destinations. It is
// called once per operation, in program order within each warp.
func (k *Checker) Issue(o *op.Op) {
	if k == nil {
		return
	}
	t := &o.Inst.T
	row := k.newest[int(o.Warp)*k.regs:][:k.regs]
	if t.NSrc > 0 {
		f := k.flights.add(o.Tag)
		for i := range t.Src[:t.NSrc] {
			f.src[i] = row[t.Src[i]]
			if k.writers != nil {
				f.by[i] = k.writers[int(o.Warp)*k.regs+int(t.Src[i])]
			}
		}
	}
	for _, r := range t.Dst[:t.NDst] {
		row[r] = row[r].Write(o.Tag, o.Exec)
		if k.writers != nil {
			k.writers[int(o.Warp)*k.regs+int(r)] = writer{o.Inst, o.Issued}
		}
	}
	if t.DstPreds != 0 {
		k.predicates[o.Warp] = o.Tag
	}
	k.elsewhere.issue(o)
}

// Predicates compares the version of a warp's predicates with the newest. found is the version in the context held
// by block when in issues: a context can be lost, or belong to another warp. Instructions without predicate sources
// are not checked.
func (k *Checker) Predicates(block string, now wire.Cycle, warp uint16, in *ir.Inst, found uint32) {
	if k == nil || in.T.SrcPreds == 0 || found == k.predicates[warp] {
		return
	}
	k.total++
	if len(k.list) < k.limit {
		k.list = append(k.list, Violation{Block: block, Cycle: now, Warp: int(warp), Register: Predicates,
			Expected: k.predicates[warp], Found: found})
	}
}

// Operand compares found, source number src of o as block passes it to the unit, with the required versions.
// Inactive lanes, and lanes never written by the warp, are not checked.
func (k *Checker) Operand(block string, now wire.Cycle, o *op.Op, src int, found *Content) {
	if k == nil {
		return
	}
	f := k.flight(block, o)
	k.compare(block, now, o, src, &f.src[src], &f.by[src], found)
}

// Wanted is an operand of an operation, with the versions required of it.
type Wanted struct {
	o    op.Op
	src  int
	want Content
	by   writer // where the checker explains
}

// Later remembers which versions source number src of o must have, if the source is read only after AtUnit, because the
// checker then forgets the operation. Late does the comparison.
func (k *Checker) Later(block string, o *op.Op, src int) Wanted {
	f := k.flight(block, o)
	return Wanted{o: *o, src: src, want: f.src[src], by: f.by[src]}
}

// Of returns the warp and the register of the operand.
func (w *Wanted) Of() (warp uint16, reg ir.RegID) { return w.o.Warp, w.o.Inst.T.Src[w.src] }

// flight returns what is known of an operation that has issued and has not retired.
func (k *Checker) flight(block string, o *op.Op) *flight {
	f := k.flights.find(o.Tag)
	if f == nil {
		panic(fmt.Sprintf("version: %s: operand of operation %d, which was not issued or has been retired", block,
			o.Tag))
	}
	return f
}

// Late is Operand for an operand that Later has returned.
func (k *Checker) Late(block string, now wire.Cycle, w *Wanted, found *Content) {
	k.compare(block, now, &w.o, w.src, &w.want, &w.by, found)
}

// compare compares an operand with the versions that it must have.
func (k *Checker) compare(block string, now wire.Cycle, o *op.Op, src int, want *Content, by *writer, found *Content) {
	k.checked++
	lanes := o.Exec & want.Lanes
	if want.older != nil {
		lanes = o.Exec & want.Mask()
	}
	if !want.EqualOn(found, lanes) {
		first := len(k.list)
		k.report(block, now, o, src, want, found, lanes)
		for i := first; i < len(k.list) && k.writers != nil; i++ {
			k.list[i].Early = by.before(o.Inst, o.Issued)
		}
	}
}

func (k *Checker) report(block string, now wire.Cycle, o *op.Op, src int, want, found *Content, lanes uint32) {
	for m := want.differ(found, lanes); m != 0; m &= m - 1 {
		k.total++
		if len(k.list) >= k.limit {
			continue
		}
		l := bits.TrailingZeros32(m)
		k.list = append(k.list, Violation{
			Block: block, Cycle: now, Warp: int(o.Warp), Register: int(o.Inst.T.Src[src]), Lane: l,
			Expected: want.Lane(l), Found: found.Lane(l),
		})
	}
}

// WarpStart puts a new warp, with no register or predicate written, into a warp context.
func (k *Checker) WarpStart(now wire.Cycle, warp uint16) {
	if k == nil {
		return
	}
	k.settle(now) // operations of the warp before have read
	clear(k.newest[int(warp)*k.regs:][:k.regs])
	k.predicates[warp] = 0
	k.elsewhere.start(warp)
}

// Newest returns the content of a warp's register in program order, after the operations issued so far.
func (k *Checker) Newest(warp, reg int) Content { return k.newest[warp*k.regs+reg] }

// Form reports a register stored by block in a form unfit for its value. found and want are the stored form and the
// right one.
func (k *Checker) Form(block string, now wire.Cycle, warp uint16, reg ir.RegID, found, want string) {
	k.total++
	if len(k.list) < k.limit {
		k.list = append(k.list, Violation{Block: block, Cycle: now, Warp: int(warp), Register: int(reg),
			Form: fmt.Sprintf("stored as %s, want %s", found, want)})
	}
}

// Violations returns the first violations, up to the checker's limit, in the order of detection.
func (k *Checker) Violations() []Violation {
	if k == nil {
		return nil
	}
	k.settle(never)
	return k.list
}

// Total counts the violations found, listed or not, one per lane.
func (k *Checker) Total() uint64 {
	if k == nil {
		return 0
	}
	k.settle(never)
	return k.total
}

// Checked counts the operands compared.
func (k *Checker) Checked() uint64 {
	if k == nil {
		return 0
	}
	return k.checked
}
