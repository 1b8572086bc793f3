package timeline

import (
	"cmp"
	"maps"
	"slices"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/kernel/ir"
)

// Profile counts, for each instruction of the program, the cycles that operands and
// results waited for register banks and for the crossbar, and the accesses that held
// the banks meanwhile. The counts are of one SM.
//
// An operand waits for a bank from the cycle in which the request is visible at the
// arbiter until the bank starts the read. A result waits from the cycle in which the
// arbiter accepts the write. In each of these cycles one access holds the bank: the
// access of the same kind that starts in the cycle, otherwise the access of the other
// kind, otherwise the last access before.
//
// A sampled profile counts the operations that are issued in some windows.
type Profile struct {
	sampling
	rows  map[*ir.Inst]*profileRow
	order []*profileRow
	named int  // rows of order with a kernel
	reads bool // reads of single operands have been seen
	banks []string
	time  overTime
	// The waits of single operands, in cycles.
	bankWaits, crossbarWaits stats.Histogram
}

// profileRow has the counts of an instruction.
type profileRow struct {
	kernel string
	inst   *ir.Inst
	pc     uint32

	issues, bankReads, latencies, latency uint64
	bankWait, writeWait, crossbarWait     uint64
	bySources                             stats.Histogram // operand latency
	byBank                                map[int]uint64
	byWarp                                map[uint16]uint64
	held                                  map[holder]uint64
}

// holder is an access that held a bank while another access waited.
type holder struct {
	inst *ir.Inst // nil: no operation of the window
	pc   uint32
	bank int
	held
	waiting int  // the register that waited; noRegister: not known
	own     bool // of the waiting warp
	// For an access of another stream: the accessing kernel, its stream, and the stream that waits.
	kernel                string
	stream, waitingStream int
}

// held is an access that holds a bank.
type held struct {
	cause    bank.Cause
	kind     bank.Kind
	register int // noRegister: not known
}

// noRegister stands for a register that is not known.
const noRegister = -1

// blocked is a cycle for which an access of a register waits for a bank.
type blocked struct {
	at       uint64
	bank     int
	register int // noRegister: not known
}

// NewProfile returns an empty profile that counts the operations issued in one of interval windows, at least 1; 1: all
// operations.
func NewProfile(interval int) *Profile {
	return &Profile{sampling: sampling{interval: uint64(interval)}, rows: map[*ir.Inst]*profileRow{}}
}

// Profile makes the recorder count into p.
func (r *recorder) Profile(p *Profile) {
	r.profile = p
	p.begin(r.from)
	p.time.begin(r.from)
}

// row returns the counts of an instruction.
func (p *Profile) row(in *ir.Inst, pc uint32) *profileRow {
	x := p.rows[in]
	if x == nil {
		x = &profileRow{inst: in, pc: pc, byBank: map[int]uint64{}, byWarp: map[uint16]uint64{},
			held: map[holder]uint64{}}
		p.rows[in] = x
		p.order = append(p.order, x)
	}
	return x
}

// issued counts an issue.
func (p *Profile) issued(o *operation) {
	if p != nil && !o.uncounted {
		x := p.row(o.inst, o.pc)
		x.issues++
		if x.kernel == "" {
			x.kernel = o.kernel
		}
	}
}

// launched gives the instructions first issued in a launch the name of the kernel.
func (p *Profile) launched(kernel string) {
	if p == nil {
		return
	}
	for ; p.named < len(p.order); p.named++ {
		if x := p.order[p.named]; x.kernel == "" {
			x.kernel = kernel
		}
	}
}

// collected counts the cycles from the allocation of a collector, or from the begin of
// the reads, to the last operand.
func (p *Profile) collected(o *operation, cycles uint64) {
	if p == nil || o.uncounted {
		return
	}
	x := p.row(o.inst, o.pc)
	x.latencies++
	x.latency += cycles
	x.bySources.Add(cycles)
}

// read counts an operand read from a bank.
func (p *Profile) read(o *operation, bankWait, crossbarWait uint64) {
	if p == nil || o.uncounted {
		return
	}
	x := p.row(o.inst, o.pc)
	p.reads = true
	x.bankReads++
	x.bankWait += bankWait
	x.crossbarWait += crossbarWait
	p.bankWaits.Add(bankWait)
	p.crossbarWaits.Add(crossbarWait)
}

// bank returns the number of a bank for hold.
func (p *Profile) bank(name string) int {
	if p == nil {
		return 0
	}
	if i := slices.Index(p.banks, name); i >= 0 {
		return i
	}
	p.banks = append(p.banks, name)
	return len(p.banks) - 1
}

// hold counts a cycle in which an access of o waits and another access holds the bank. by is the operation of that
// access, or nil.
func (p *Profile) hold(o *operation, w blocked, by *operation, a held) {
	if p == nil || o.uncounted {
		return
	}
	x := p.row(o.inst, o.pc)
	x.byBank[w.bank]++
	p.time.add(w.bank, w.at)
	h := holder{bank: w.bank, held: a, waiting: w.register}
	if by != nil {
		h.inst, h.pc, h.own = by.inst, by.pc, by.warp == o.warp
		if by.stream != o.stream {
			h.kernel, h.stream, h.waitingStream = by.kernel, by.stream, o.stream
		}
		x.byWarp[by.warp]++
	}
	x.held[h]++
}

// waited counts a cycle for which an operand waited, where the register file reports no
// waits of single operands.
func (p *Profile) waited(o *operation) {
	if !o.uncounted {
		p.row(o.inst, o.pc).bankWait++
	}
}

// wrote counts the cycles that a result waited for its bank.
func (p *Profile) wrote(o *operation, wait uint64) {
	if p != nil && !o.uncounted {
		p.row(o.inst, o.pc).writeWait += wait
	}
}

// Profiled has the counts of an instruction. Cycles are summed over all issues.
type Profiled struct {
	Kernel string `json:"kernel"`
	PC     uint32 `json:"pc"`
	Line   int    `json:"line"` // of the program's text; 0: none
	Text   string `json:"text"`
	Issues uint64 `json:"issues"`
	// RegisterSources is the number of register sources of all issues, BankReads the number
	// read from banks. The others came from a bypass or a register cache. BankReads is nil
	// where the register file reports no reads of single operands.
	RegisterSources uint64  `json:"register_sources"`
	BankReads       *uint64 `json:"bank_reads,omitempty"`
	// OperandLatency is the distribution of the cycles from the allocation of a collector,
	// or from the begin of the reads, to the last operand.
	MeanOperandLatency float64        `json:"mean_operand_latency"`
	OperandLatency     []stats.Bucket `json:"operand_latency"`
	BankWait           uint64         `json:"bank_wait"`
	WriteWait          uint64         `json:"write_wait"`
	CrossbarWait       uint64         `json:"crossbar_wait"`
	// Banks, Warps and Holders divide the cycles of BankWait and WriteWait.
	Banks   []BankWait `json:"banks"`
	Warps   []WarpWait `json:"holding_warps"`
	Holders []Holder   `json:"holders"`
}

// BankWait has the cycles for which operands and results waited for a bank.
type BankWait struct {
	Bank   string `json:"bank"`
	Cycles uint64 `json:"cycles"`
}

// WarpWait has the cycles in which operations of a warp context held banks.
type WarpWait struct {
	Warp   int    `json:"warp"`
	Cycles uint64 `json:"cycles"`
}

// Holder has the cycles in which an access of an instruction held a bank for which a register waited.
type Holder struct {
	PC   uint32 `json:"pc"`
	Line int    `json:"line"`
	Text string `json:"text"` // empty: an access of no instruction
	// Kernel and Stream are those of the access, and WaitingStream is that of the waiting instruction, where launches
	// of both run side by side; otherwise empty.
	Kernel        string `json:"kernel,omitempty"`
	Stream        int    `json:"stream,omitempty"`
	WaitingStream int    `json:"waiting_stream,omitempty"`

	Access  string `json:"access"`
	Cause   string `json:"cause"`
	OwnWarp bool   `json:"own_warp"` // of the waiting warp
	Bank    string `json:"bank"`
	// Waiting is the register that waited, and Register that of the access; empty: not known.
	Waiting  string `json:"waiting,omitempty"`
	Register string `json:"register,omitempty"`
	Cycles   uint64 `json:"cycles"`
}

// ProfileReport is a profile in the form of its JSON document.
type ProfileReport struct {
	SM            int            `json:"sm"`
	From          uint64         `json:"from"` // core cycle
	To            uint64         `json:"to"`
	Launched      uint64         `json:"launched"` // cycles of these in launches
	Share         SampledShare   `json:"sampled"`
	BankWaits     []stats.Bucket `json:"bank_waits"`     // of single operands, in cycles
	CrossbarWaits []stats.Bucket `json:"crossbar_waits"` // likewise
	Time          TimeReport     `json:"over_time"`
	Instructions  []Profiled     `json:"instructions"` // the longest waits first
	// Between has, for each pair of a waiting kernel and a kernel of another stream that held the bank, the cycles of
	// the waits, the most cycles first.
	Between []KernelWait `json:"between_kernels,omitempty"`
}

// accessName returns the name of a kind of access. All kinds but reads write.
func accessName(k bank.Kind) string {
	if k == bank.Read {
		return "read"
	}
	return "write"
}

// Report returns the profile of a closed recorder.
func (r *recorder) Report() *ProfileReport {
	p := r.profile
	out := &ProfileReport{SM: r.number, From: r.from, To: r.to, Launched: r.launched, Share: p.share(r.from, r.to),
		BankWaits: p.bankWaits.Buckets(), CrossbarWaits: p.crossbarWaits.Buckets(), Time: p.time.report(p.banks),
		Instructions: []Profiled{}}
	for _, x := range p.order {
		in := Profiled{Kernel: x.kernel, PC: x.pc, Line: int(x.inst.Line), Text: x.inst.String(), Issues: x.issues,
			RegisterSources: x.issues * uint64(x.inst.T.NSrc), OperandLatency: x.bySources.Buckets(),
			BankWait: x.bankWait, WriteWait: x.writeWait, CrossbarWait: x.crossbarWait,
			Banks: []BankWait{}, Warps: []WarpWait{}, Holders: []Holder{}}
		if p.reads {
			in.BankReads = &x.bankReads
		}
		if x.latencies > 0 {
			in.MeanOperandLatency = float64(x.latency) / float64(x.latencies)
		}
		for _, b := range slices.Sorted(maps.Keys(x.byBank)) {
			in.Banks = append(in.Banks, BankWait{p.banks[b], x.byBank[b]})
		}
		for _, w := range slices.Sorted(maps.Keys(x.byWarp)) {
			in.Warps = append(in.Warps, WarpWait{int(w), x.byWarp[w]})
		}
		for h, n := range x.held {
			in.Holders = append(in.Holders, h.report(p.banks[h.bank], n))
		}
		slices.SortFunc(in.Holders, holderOrder)
		out.Instructions = append(out.Instructions, in)
	}
	for i := range out.Instructions {
		out.Share.Recorded += out.Instructions[i].Issues
	}
	out.Between = between(out.Instructions)
	slices.SortStableFunc(out.Instructions, func(a, b Profiled) int {
		return cmp.Or(cmp.Compare(b.BankWait+b.WriteWait+b.CrossbarWait, a.BankWait+a.WriteWait+a.CrossbarWait),
			cmp.Compare(b.Issues, a.Issues))
	})
	return out
}

func holderOrder(a, b Holder) int {
	return cmp.Or(cmp.Compare(b.Cycles, a.Cycles), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.Stream, b.Stream),
		cmp.Compare(a.WaitingStream, b.WaitingStream), cmp.Compare(a.PC, b.PC), cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.Access, b.Access), cmp.Compare(a.Cause, b.Cause), boolOrder(a.OwnWarp, b.OwnWarp),
		cmp.Compare(a.Bank, b.Bank), cmp.Compare(a.Waiting, b.Waiting), cmp.Compare(a.Register, b.Register))
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// report returns a holder in the form of the report.
func (h holder) report(bankName string, cycles uint64) Holder {
	out := Holder{Kernel: h.kernel, Stream: h.stream, WaitingStream: h.waitingStream, Access: accessName(h.kind),
		Cause: h.cause.String(), OwnWarp: h.own, Bank: bankName,
		Waiting: registerOrNone(h.waiting), Register: registerOrNone(h.register), Cycles: cycles}
	if h.inst != nil {
		out.PC, out.Line, out.Text = h.pc, int(h.inst.Line), h.inst.String()
	}
	return out
}

func registerOrNone(n int) string {
	if n == noRegister {
		return ""
	}
	return register(ir.RegID(n))
}
