package ltrf

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// WCB has the warp control blocks of a sub-core, one for each warp. A block knows the places of its warp's
// registers in the cache, the working set, and the live registers.
//
// Ports:
//
//	Request     bank.Request: reads of the collectors
//	Result      bank.Access: results
//	Captured    bank.Capture: operands captured from the result bus
//	Values[i]   bank.Value: values from the main file
//	Notices[s]  regfile.WarpNotice: of scheduler s
//	Opens[g][s] regfile.Open: gate g of scheduler s opens
//	Read        bank.Request: reads of the cache, to its arbiter
//	Update      bank.Access: writes of the cache, to its arbiter
//	Past        bank.Access: results without a place in the cache, to the way back
//	Move        Move: registers to be written to the main file, to the way back
//	Landed      Landed: registers arrived at the main file
//	Job         Job: vectors, to the sequencer
//	Leave       Leave: registers leaving the cache, from the sequencer
//	Grant       Grant: places, from the allocation units
//	Dropped     Freed: places free at once, to the allocation units
//	Fetch       Fetch: registers to be read from the main file, to the fill arbiter
//
// The oldest in program order is served first: registers arrived at the main file, notices, places, leaving
// registers, results, fills, and reads last. A waiting result holds up all reads, but no fill.
type WCB struct {
	wire.Comp
	Request  wire.InPort[bank.Request]
	Result   wire.InPort[bank.Access]
	Captured wire.InPort[bank.Capture]
	Values   []wire.InPort[bank.Value]
	Notices  []wire.InPort[regfile.WarpNotice]
	Opens    [numGates][]wire.OutPort[regfile.Open]
	Read     wire.OutPort[bank.Request]
	Update   wire.OutPort[bank.Access]
	Past     wire.OutPort[bank.Access]
	Move     wire.OutPort[Move]
	Landed   wire.InPort[Landed]
	Job      wire.OutPort[Job]
	Leave    wire.InPort[Leave]
	Grant    wire.InPort[Grant]
	Dropped  wire.OutPort[Freed]
	Fetch    wire.OutPort[Fetch]

	spec    *Spec
	blocks  []block  `part:"Warp"`                                      // by warp context
	brought []uint32 `row:"WCB: lanes that came before their register"` // by place in the cache: lanes written by results since it was granted
	plan    *Plan    `soft:"in instructions"`
	looks   lookups
	opening []uint16 `bits:"log(blocks)" room:"blocks"` // warps about to get a gate opened
	scheds  int      // of the SM
	first   int      // scheduler of the sub-core
	keeping *keeping // nil: no block moves registers of the main file
	count   counters `soft:"statistics"`
}

// Gates of the design.
const (
	prefetchGate = iota // shut when a prefetch has issued
	refetchGate         // shut when a warp has become active
	numGates
)

// block is the control block of a warp.
type block struct {
	bank   [256]uint8    `row:"WCB: address table, offset, working set, liveness"` // address table: the bank of each valid register
	valid  intervals.Set `row:"WCB: address table, offset, working set, liveness"` // registers with a place in the cache
	offset uint8
	set    intervals.Set `row:"WCB: address table, offset, working set, liveness"` // working set: of the warp's present interval
	live   intervals.Set `row:"WCB: address table, offset, working set, liveness"` // registers needed by some lane; with liveness

	dirty   intervals.Set `soft:"State counts it where the setting has it"`                // written since they were granted a place
	pending intervals.Set `row:"WCB: results awaited, in some lanes or all"`               // results are awaited
	every   intervals.Set `row:"WCB: results awaited, in some lanes or all"`               // of these: results of all lanes
	filling intervals.Set `bits:"64"`                                                      // on their way from the main file
	back    intervals.Set `row:"WCB: registers and results on their way to the main file"` // on their way to the main file
	past    [256]uint8    `row:"WCB: registers and results on their way to the main file"` // results of each on their way to the main file
	passing int           // sum of these
	wanted  intervals.Set `bits:"64"` // to be fetched when the value on its way has arrived
	// unsettled registers need not be fetched, but the warp waits until the value on its way has arrived.
	unsettled intervals.Set `bits:"64"`
	held      intervals.Set `bits:"64"` // the warp waits for their results, with pending = wait

	since   wire.Cycle // when the gate was shut
	awaited int16      // number of registers for which the warp waits
	gate    uint8
	shut    bool       // a gate is shut
	ended   bool       // the job has no more registers
	leaving bank.Cause // cause for leaving registers, unless no lane needs them
	exited  bool       // no lane needs any register
	cause   bank.Cause // cause for fetched registers
}

// newWCB makes the control blocks. The caller joins the ports.
func newWCB(name string, p *part) *WCB {
	env := p.Env
	x := &WCB{spec: p.spec, blocks: make([]block, env.Warps), brought: make([]uint32, p.spec.Banks*p.offsets),
		scheds: env.Schedulers, first: p.First}
	x.Init(name, env.Domain, x)
	x.Request.Init(&x.Comp, "Request", p.RequestRoom)
	x.Result.Init(&x.Comp, "Result", p.WriteRoom)
	x.Captured.Init(&x.Comp, "Captured", 2*p.Collectors)
	x.Values = make([]wire.InPort[bank.Value], p.Ends)
	for i := range x.Values {
		x.Values[i].Init(&x.Comp, fmt.Sprintf("Values[%d]", i), p.EndRoom)
	}
	x.Notices = make([]wire.InPort[regfile.WarpNotice], p.Schedulers)
	room := 2 * (env.Warps + env.Schedulers - 1) / env.Schedulers // all warps begin and become active in one cycle
	for i := range x.Notices {
		x.Notices[i].Init(&x.Comp, fmt.Sprintf("Notices[%d]", i), room+4)
	}
	for g := range x.Opens {
		x.Opens[g] = make([]wire.OutPort[regfile.Open], p.Schedulers)
		for i := range x.Opens[g] {
			x.Opens[g][i].Init(&x.Comp, fmt.Sprintf("Opens[%d][%d]", g, i))
		}
	}
	x.Read.Init(&x.Comp, "Read")
	x.Update.Init(&x.Comp, "Update")
	x.Past.Init(&x.Comp, "Past")
	x.Move.Init(&x.Comp, "Move")
	x.Landed.Init(&x.Comp, "Landed", 4*p.Banks+2*p.WriteRoom)
	x.Job.Init(&x.Comp, "Job")
	x.Leave.Init(&x.Comp, "Leave", p.spec.Banks*p.offsets)
	x.Grant.Init(&x.Comp, "Grant", 2*env.Warps)
	x.Dropped.Init(&x.Comp, "Dropped")
	x.Fetch.Init(&x.Comp, "Fetch")
	if env.User != nil {
		x.keeping = &keeping{}
		x.keeping.signal.Init(&x.Comp, regfile.WarpSet{})
	}
	x.looks.init(p)
	x.count.register(x.Name(), env.Stats)
	return x
}

// Tick serves the messages of its ports.
func (x *WCB) Tick(now wire.Cycle) bool {
	x.takeLanded()
	x.takeNotices(now)
	x.takeGrants()
	x.takeLeaves()
	held := x.takeResults()
	x.tell(held)
	again := x.takeValues()
	x.takeCaptured()
	if !held {
		held = x.takeRequests(now)
	}
	x.open(now)
	return held || again || len(x.opening) > 0
}

// place returns the number of a register's place in the cache.
func (x *WCB) place(b *block, reg int) int { return int(b.bank[reg])*x.offsets() + int(b.offset) }

func (x *WCB) offsets() int { return len(x.brought) / x.spec.Banks }

// Waiting reports the messages held up by the control blocks.
func (x *WCB) Waiting() string {
	shut, n := 0, 0
	for i := range x.blocks {
		if b := &x.blocks[i]; b.shut {
			shut++
			n += int(b.awaited)
		}
	}
	r, w := x.Request.Len()+x.looks.late.n, x.Result.Len()
	if shut+r+w == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests and %d results wait, %d warps wait for %d registers to come into the cache", r, w,
		shut, n)
}
