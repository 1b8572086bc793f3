package probe

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/timeline"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Spec configures the run of a sequence.
type Spec struct {
	Context context.Context // cancels; nil: never
	File    string          // of the sequence, for messages
	Warps   int             // of the SM
	Repeat  int             // repetitions by each warp
	Check   bool            // check that every operand is the newest value written
	Loop    *Loop           // in the sequence; nil: none
	// Stride is the distance in bytes between the addresses of neighbouring lanes, for addresses in a register;
	// nil: the bytes accessed by a lane.
	Stride *int
	// Block is the number of lanes of a block, 1 to 32. The lanes of a block access adjacent global memory. Each
	// block begins Stride bytes after the previous block. Other memories have no blocks. 0: no blocks.
	Block int
	// Fixed is set if all accesses to global memory are at the same addresses. Otherwise each begins a line behind the
	// access before it.
	Fixed bool
	// Fitted is set if the sequence's control words were made for the GPU by Words.
	Fitted bool
	// Phases is the number of runs with different start times of the warps. In the first run all warps start at
	// once, in the others each warp starts some cycles later. 0 means 1.
	Phases int

	phase int // phase of the current run, from 0
}

// check refuses settings outside their ranges.
func (s *Spec) check(cfg *config.Config) error {
	if s.Warps < 1 || s.Warps > cfg.SM.Warps {
		return fmt.Errorf("found %d warps, expected 1 to the SM's %d", s.Warps, cfg.SM.Warps)
	}
	most := mostStride
	if s.Block != 0 {
		most = mostApart
	}
	switch {
	case s.Block < 0 || s.Block > lanes:
		return fmt.Errorf("found blocks of %d lanes, expected 1 to %d", s.Block, lanes)
	case s.Stride == nil && s.Block != 0:
		return fmt.Errorf("found blocks of %d lanes and no stride, expected the stride from block to block", s.Block)
	case s.Stride != nil && (*s.Stride < 0 || *s.Stride > most):
		return fmt.Errorf("found a stride of %d bytes, expected 0 to %d", *s.Stride, most)
	}
	if s.Repeat < leastRepeat {
		return fmt.Errorf("found %d repetitions, expected at least %d, for a steady state", s.Repeat, leastRepeat)
	}
	if s.Phases < 0 || s.Phases > mostPhases {
		return fmt.Errorf("found %d phases, expected 1 to %d", s.Phases, mostPhases)
	}
	return nil
}

const (
	leastRepeat = 8
	mostStride  = 512     // of lanes
	mostApart   = 1 << 20 // of blocks
	mostPhases  = 1000
)

// Settings returns the settings of a machine with one SM, with instructions at hand, and also data lines if the
// code accesses memory.
func Settings(code []ir.Inst) []string {
	out := append(LoopSettings(code), "sm.fetch.icache.perfect=true", "sm.fetch.width=8", "sm.fetch.instructions=8",
		"sm.fetch.buffer=8", "sm.fetch.latency=1", "sm.fetch.refill=room")
	return out
}

// LoopSettings is like Settings, but the machine fetches instructions as the GPU does.
func LoopSettings(code []ir.Inst) []string {
	out := []string{"sm.count=1", "sm.constant_cache.lines=0"}
	cached := func(in ir.Inst) bool { return in.T.Space != ir.SpaceNone && in.T.Space != ir.Shared }
	if slices.ContainsFunc(code, cached) {
		out = append(out, "mem.l1.cache_global=true", "mem.l1.perfect=true")
	}
	return out
}

// Result is the measured cost of a sequence.
type Result struct {
	GPU    string `json:"gpu"`
	Design string `json:"design"`
	Warps  int    `json:"warps"`
	Repeat int    `json:"repeat"`
	// Words reports whether the control words of the sequence are obeyed; nil: it has none.
	Words *bool `json:"control_words_obeyed,omitempty"`
	// Cycles is the time in which the warps of a sub-core issue one repetition, as the mean over the phases.
	Cycles float64 `json:"cycles_per_repetition"`
	// Phases is the number of phases. Least and Most are the cycles of the fastest and of the slowest phase.
	Phases int     `json:"phases"`
	Least  float64 `json:"least_cycles_per_repetition"`
	Most   float64 `json:"most_cycles_per_repetition"`
	// Instructions are the instructions of one repetition of warp 0 in the steady state.
	Instructions []Instruction `json:"instructions"`
	// Reads and ReuseHits are register reads per repetition from the banks and from the reuse cache. ReuseHits is
	// nil without a reuse cache.
	Reads     float64  `json:"bank_reads_per_repetition"`
	ReuseHits *float64 `json:"reuse_hits_per_repetition,omitempty"`
}

// Instruction is the life of an instruction. Cycles count from the issue of the repetition's first instruction.
type Instruction struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Control string `json:"control,omitempty"`
	// Stages are the first cycles of the stages (timeline.Stages), -1 for absent or unobservable stages.
	Stages []int `json:"stages"`
	End    int   `json:"end"`
	// Bank and Crossbar are the cycles its operands, all together, waited for banks and for the crossbar.
	Bank     int `json:"bank_wait"`
	Crossbar int `json:"crossbar_wait"`
	// Conflicts lists the banks it waited for and the instructions using their ports, if the register file reports
	// them.
	Conflicts []timeline.Conflict `json:"conflicts,omitempty"`
}

// Run measures a sequence on a configuration with Settings. text has the lines of its file.
func Run(cfg *config.Config, code []ir.Inst, text []string, s Spec) (*Result, error) {
	rows, stats, err := simulate(cfg, code, &s)
	if err != nil {
		return nil, err
	}
	r := &Result{GPU: cfg.Name, Design: cfg.Design, Warps: s.Warps, Repeat: s.Repeat}
	if slices.ContainsFunc(code, func(in ir.Inst) bool { return in.Control.Set }) {
		obeyed := cfg.SM.Scheduler.Controlled()
		r.Words = &obeyed
	}
	p := passesOf(code, &s)
	r.Cycles = p.cost(rows, cfg.SM.Schedulers)
	r.repetition(rows, p, code, text)
	r.reads(stats)
	r.Phases, r.Least, r.Most = max(1, s.Phases), r.Cycles, r.Cycles
	sum := r.Cycles
	for s.phase = 1; s.phase < r.Phases; s.phase++ {
		rows, _, err := simulate(cfg, code, &s)
		if err != nil {
			return nil, err
		}
		cycles := p.cost(rows, cfg.SM.Schedulers)
		r.Least, r.Most = min(r.Least, cycles), max(r.Most, cycles)
		sum += cycles
	}
	r.Cycles = sum / float64(r.Phases)
	return r, nil
}

// simulate runs a sequence. It returns the lives of all its instructions and the run's statistics.
func simulate(cfg *config.Config, code []ir.Inst, s *Spec) ([]timeline.Instruction, map[string]uint64, error) {
	if err := s.check(cfg); err != nil {
		return nil, nil, err
	}
	k, err := kernel(code, s)
	if err != nil {
		return nil, nil, err
	}
	rec, err := timeline.New(nil, 0, 0, math.MaxUint64)
	if err != nil {
		return nil, nil, err
	}
	log := timeline.NewKonata(io.Discard)
	rec.Log(log)
	m, err := gpus.New(cfg, gpus.Options{Context: s.Context, Check: s.Check, Timeline: rec})
	if err != nil {
		return nil, nil, err
	}
	each := perCTA(s.Warps)
	if err := m.Replay(&gpus.Replay{Kernel: k, Fitted: s.Fitted, Grid: [3]int{s.Warps / each, 1, 1},
		Block: [3]int{lanes * each, 1, 1}, SharedBytes: sharedBytes, Open: func() (stream.OpenSource, error) {
			return &warps{kernel: k, each: each, ctas: s.Warps / each, stride: s.Stride, block: s.Block, fixed: s.Fixed,
				loop: s.Loop, repeat: s.Repeat, phase: s.phase, late: rand.New(rand.NewPCG(uint64(s.phase), 0)),
				control: cfg.SM.Scheduler.Controlled()}, nil
		}}); err != nil {
		return nil, nil, err
	}
	if err := rec.Close(nil); err != nil {
		return nil, nil, err
	}
	rows := slices.DeleteFunc(log.Instructions(math.MaxUint64), func(x timeline.Instruction) bool {
		return strings.HasSuffix(x.Text, wait)
	})
	return rows, m.Results()[0].Stats, nil
}

// perCTA returns the greatest divisor of warps not above 32: the warps per CTA.
func perCTA(warps int) int {
	n := min(warps, 32)
	for warps%n != 0 {
		n--
	}
	return n
}

// passes describes the repetitions in a warp's instructions: repeat times n instructions, after before others.
type passes struct{ before, n, repeat int }

func passesOf(code []ir.Inst, s *Spec) passes {
	if l := s.Loop; l != nil {
		return passes{before: l.From, n: l.To - l.From, repeat: s.Repeat}
	}
	return passes{n: len(code), repeat: s.Repeat}
}

// has reports whether the warp instruction at a place in the order of issue belongs to a repetition.
func (p *passes) has(place int) bool { return place >= p.before && place < p.before+p.n*p.repeat }

// cost returns the time of a repetition on the first sub-core, measured over the middle half of its issued
// instructions.
func (p *passes) cost(rows []timeline.Instruction, schedulers int) float64 {
	var at []uint64
	issued := map[int]int{} // by warp
	for i := range rows {
		x := &rows[i]
		if x.Warp%schedulers != 0 {
			continue
		}
		if p.has(issued[x.Warp]) {
			at = append(at, x.Begin[0])
		}
		issued[x.Warp]++
	}
	slices.Sort(at)
	period := p.n * len(issued)
	first := max(1, len(at)/period/4)
	last := max(first+1, len(at)/period*3/4)
	return float64(at[last*period]-at[first*period]) / float64((last-first)*len(issued))
}

// repetition records the lives of the instructions in one repetition of warp 0 in the steady state.
func (r *Result) repetition(rows []timeline.Instruction, p passes, code []ir.Inst, text []string) {
	skip := p.before + r.Repeat*3/4*p.n
	var base uint64
	for i := range rows {
		x := &rows[i]
		if x.Warp != 0 {
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		n := len(r.Instructions)
		if n == p.n {
			return
		}
		if n == 0 {
			base = x.Begin[0]
		}
		in := &code[p.before+n]
		out := Instruction{Line: int(in.Line), Text: source(text, in), End: int(x.End - base), Bank: int(x.Bank),
			Crossbar: int(x.Crossbar), Conflicts: x.Conflicts}
		if in.Control.Set {
			out.Control = in.Control.String()
		}
		for _, at := range x.Begin {
			if at == 0 {
				out.Stages = append(out.Stages, -1)
			} else {
				out.Stages = append(out.Stages, int(at-base))
			}
		}
		r.Instructions = append(r.Instructions, out)
	}
}

// source returns an instruction as written in the source, without its control word.
func source(text []string, in *ir.Inst) string {
	if in.Op == ir.OpNop && in.Sym == "" {
		return "NOP" // inserted by Words
	}
	line := text[in.Line-1][in.Col-1:]
	line, _, _ = strings.Cut(line, ";")
	line, _, _ = strings.Cut(line, "}")
	return strings.TrimSpace(line)
}

// reads computes the register reads per repetition of a warp.
func (r *Result) reads(stats map[string]uint64) {
	all := float64(r.Warps * r.Repeat)
	n := uint64(0)
	for name, v := range stats {
		switch {
		case strings.HasPrefix(name, "regfile.bank.reads."):
			n += v
		case strings.HasPrefix(name, "regfile.") && strings.HasSuffix(name, ".reuse_hits"):
			h := float64(v) / all
			r.ReuseHits = &h
		}
	}
	r.Reads = float64(n) / all
}
