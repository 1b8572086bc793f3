package finereg

import (
	"cmp"
	"fmt"

	"kumiko/components/spec"
	"kumiko/kernel/compiler/intervals"
	"kumiko/memsys/req"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Values of live.
const (
	LiveWarp = "warp"
	LivePath = "paper"
)

// Values of returns.
const (
	ReturnTable = "table"
	ReturnWalk  = "walk"
)

// Spec configures FineReg. The ACRF is a conventional register file. Its collectors and the rest of the data plane
// have the settings of the same GPU. Sections are those of Oh et al., MICRO 2018.
type Spec struct {
	PCRF          int    `toml:"pcrf" unit:"warp registers" doc:"part of the SM's registers that keeps live registers of pending CTAs (PCRF). The rest is the ACRF, in which CTAs have all their registers. 0: no registers are moved"`
	Latency       int    `toml:"latency" unit:"cycles" range:"1 to 64" doc:"from the access of a PCRF entry to its tag and data"`
	Chain         int    `toml:"chain" unit:"cycles" doc:"from one entry of a chain to the next: 1, where tags are read ahead of the data, or latency"`
	Live          string `toml:"live" unit:"-" doc:"registers that are moved. warp: those that any lane of the warp still reads. paper: those that the path at the program counter still reads; lanes that wait on another path lose theirs"`
	Grows         bool   `toml:"grows" unit:"-" doc:"for a PCRF in a pool with shared memory and the L1. true: at each launch it takes as much as live registers could need, of all but the shared memory and the least L1. false: it takes pcrf" when:"/onchip.memory=unified"`
	Returns       string `toml:"returns" unit:"-" doc:"how a result for a register in the PCRF finds its entry. table: by a table of the awaited registers. walk: along the chain of the CTA, from the entry written last"`
	Awaited       int    `toml:"awaited" unit:"results" range:"1 to 16384" doc:"entries of the table of awaited results. A CTA that awaits results for more live registers than find an entry gets its slots back" when:"returns=table"`
	PendingInACRF bool   `toml:"acrf_parks" unit:"-" doc:"true: the ACRF may hold CTAs without scheduler slots. false: it holds no more CTAs than find slots"`
	Lines         int    `toml:"live_lines" unit:"vectors" range:"1 to 4096" doc:"vectors in the live register cache, direct mapped"`
	Vector        int    `toml:"vector_bytes" unit:"bytes" doc:"size of a live vector in memory: a bit for each register of a thread, and the program counter of 4 bytes where it stands there too"`

	base conventional.Spec
}

// Default returns the paper's values: half of the register file is PCRF (section VI), at least 4 cycles for an
// entry (section V.E), a live register cache of 32 lines of 12 bytes (section V.F). The paper says that chains are
// pipelined, without details. Here the tag is read first.
func Default() Spec {
	return Spec{PCRF: 1024, Latency: 4, Chain: 1, Live: LiveWarp, Returns: ReturnTable, Awaited: 256,
		PendingInACRF: true,
		Lines:         32, Vector: 12, base: conventional.Default()}
}

// entryBytes is the size of a warp register.
const entryBytes = req.LineBytes

// mostEntries is the most PCRF entries: next pointers of the model have 16 bits.
const mostEntries = 1 << 16

// SetBase sets the settings of the conventional register file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings.
func (s *Spec) Check() error {
	if err := cmp.Or(spec.Ranges(s), spec.OneOf("live", s.Live, LiveWarp, LivePath),
		spec.OneOf("returns", s.Returns, ReturnTable, ReturnWalk)); err != nil {
		return err
	}
	switch {
	case s.Chain < 1 || s.Chain > s.Latency:
		return spec.Errorf("chain", s.Chain, "1 to latency (%d)", s.Latency)
	case s.Vector < 4 || s.Vector > req.SectorBytes || s.Vector%4 != 0:
		return spec.Errorf("vector_bytes", s.Vector, "a multiple of 4 up to %d", req.SectorBytes)
	}
	return spec.InRange("pcrf", s.PCRF, 0, mostEntries)
}

// Admit admits as many CTAs as all limits but registers allow. How many of them fit into the PCRF is decided when
// they stall.
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	if s.PCRF >= l.Capacity {
		return regfile.Admission{}, spec.Elsewhere("regfile.finereg.pcrf", s.PCRF,
			"fewer than the %d warp registers of an SM", l.Capacity)
	}
	held := l.ByRegisters
	if s.PCRF > 0 {
		held = l.ByRegistersOf(l.Capacity - s.PCRF)
	}
	if held < 1 {
		return regfile.Admission{}, fmt.Errorf("a CTA needs %d warp registers, the ACRF has %d",
			l.WarpsPerCTA*l.Registers, l.Capacity-s.PCRF)
	}
	held = min(held, l.Others)
	if !s.PendingInACRF {
		held = min(held, l.Slotted)
	}
	a := regfile.Admission{Residency: regfile.Residency{Resident: held, Active: min(held, l.Slotted), Held: held},
		Used: held * l.CTARegisters}
	if s.PCRF > 0 {
		a.Resident = l.Others
	}
	p := &Plan{Launch: l, Entries: s.PCRF}
	if l.Pool.Bytes > 0 && s.PCRF > 0 {
		p.Entries = s.pooled(l, a.Resident, held)
		a.Pooled = p.Entries * entryBytes
		a.Figures = append(a.Figures, regfile.Figure{Name: "pcrf_registers", Doc: "warp registers of the PCRF",
			Value: p.Entries})
	}
	a.Plan = p
	if a.Resident == l.Others && l.Others < l.ByRegisters || a.Resident > held {
		a.Limit = l.OthersLimit
	}
	a.Figures = append(a.Figures, regfile.Figure{Name: "ctas_in_acrf",
		Doc: "CTAs whose registers the ACRF holds; the number of further resident CTAs depends on their live " +
			"registers",
		Value: held})
	return a, nil
}

// Plan is the information about a launch needed by a file.
type Plan struct {
	*regfile.Launch
	Entries int             // of the PCRF
	live    []intervals.Set // of several kernels, by PC of their program; nil: as the launch's tables say
}

// Merge makes the plan for launches side by side. Their CTAs share the entries of the PCRF, and the registers of the
// ACRF.
func (s *Spec) Merge(parts []regfile.Part) (regfile.Merged, error) {
	out := *parts[0].Plan.(*Plan)
	for i := range parts {
		p := parts[i].Plan.(*Plan)
		table := s.table(p.Launch)
		for pc := range parts[i].Insts {
			live := intervals.Set{}
			if table != nil {
				live = table[pc]
			} else {
				for r := range min(p.Registers, regfile.NumRegisters) {
					live.Add(r)
				}
			}
			out.live = append(out.live, live)
		}
	}
	return regfile.Merged{Plan: &out, Registers: (out.Capacity - s.PCRF) * warpSize}, nil
}

// warpSize is the number of 32-bit registers of a warp register.
const warpSize = 32

// pooled returns the number of PCRF entries in a launch with resident CTAs, held of them with their registers in
// the ACRF. The PCRF takes as much of a pool as it could use: space for all live registers of the other CTAs.
func (s *Spec) pooled(l *regfile.Launch, resident, held int) int {
	room := max(0, l.Pool.Bytes-resident*l.Pool.PerCTA) / entryBytes
	if !s.Grows {
		return min(room, s.PCRF)
	}
	return min(room, (resident-held)*l.WarpsPerCTA*s.mostLive(l))
}

// mostLive returns the most live registers of a warp.
func (s *Spec) mostLive(l *regfile.Launch) int {
	table := s.table(l)
	if table == nil {
		return l.Registers
	}
	most := 0
	for i := range table {
		most = max(most, table[i].Len())
	}
	return most
}

// table returns the live registers of a launch by program counter; nil: all are live.
func (s *Spec) table(l *regfile.Launch) []intervals.Set {
	switch {
	case l.Tables == nil:
		return nil
	case s.Live == LivePath:
		return l.Tables.PathLive()
	}
	return l.Tables.Live()
}
