package result

import "slices"

// Energy is the energy of a run by a table of energies per event. It is activity energy under the assumptions of the
// table, for comparison with other runs by the same table.
type Energy struct {
	Table  string `json:"table"` // name of a built-in table, or a file
	Source string `json:"source"`
	// PJ is the sum of the rows.
	PJ                   float64 `json:"pj"`
	PJPerWarpInstruction float64 `json:"pj_per_warp_instruction"` // 0 without instructions
	// Blocks are the sums of the rows of one name, in the order of their first rows.
	Blocks []EnergyBlock `json:"blocks"`
	Rows   []EnergyRow   `json:"rows"`
	// Uncharged are blocks of the register file that had events, but none that a row of the table charges. They are
	// named as in statistics: regfile.collector.
	Uncharged []string `json:"uncharged"`
	Notes     []string `json:"notes"`
}

// EnergyBlock is the energy of the rows of one name.
type EnergyBlock struct {
	Block                string  `json:"block"`
	PJ                   float64 `json:"pj"`
	PJPerWarpInstruction float64 `json:"pj_per_warp_instruction"`
	Share                float64 `json:"share"` // of all blocks, 0 to 1
}

// EnergyRow is the energy of one row of the table: events x accesses per event x energy per access, or power x time.
type EnergyRow struct {
	Block  string `json:"block"`
	What   string `json:"what"`
	Source string `json:"source"` // of the number
	// Statistics are the summed statistics; empty in a row of power.
	Statistics       []string `json:"statistics"`
	Events           uint64   `json:"events"`
	AccessesPerEvent float64  `json:"accesses_per_event"`
	PJPerAccess      float64  `json:"pj_per_access"`
	// PowerMW is the power of all arrays together, over Microseconds.
	PowerMW      float64 `json:"power_mw,omitempty"`
	Microseconds float64 `json:"microseconds,omitempty"`
	PJ           float64 `json:"pj"`
	Share        float64 `json:"share"`
}

// Finish computes sums and shares from the energies of the rows.
func (e *Energy) Finish(warpInstructions uint64) {
	e.PJ, e.Blocks = 0, []EnergyBlock{}
	for _, r := range e.Rows {
		e.PJ += r.PJ
		i := slices.IndexFunc(e.Blocks, func(b EnergyBlock) bool { return b.Block == r.Block })
		if i < 0 {
			i = len(e.Blocks)
			e.Blocks = append(e.Blocks, EnergyBlock{Block: r.Block})
		}
		e.Blocks[i].PJ += r.PJ
	}
	if e.Uncharged == nil {
		e.Uncharged = []string{}
	}
	per := func(pj, of float64) float64 {
		if of == 0 {
			return 0
		}
		return pj / of
	}
	n := float64(warpInstructions)
	e.PJPerWarpInstruction = per(e.PJ, n)
	for i := range e.Blocks {
		b := &e.Blocks[i]
		b.PJPerWarpInstruction, b.Share = per(b.PJ, n), per(b.PJ, e.PJ)
	}
	for i := range e.Rows {
		e.Rows[i].Share = per(e.Rows[i].PJ, e.PJ)
	}
}
