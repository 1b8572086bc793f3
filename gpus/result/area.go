package result

// Area is the area of the storage of one SM's register file, for comparison with other designs by the same model. It
// has no wires between blocks and no logic but that of the arrays.
type Area struct {
	Source string  `json:"source"`
	NM     float64 `json:"nm"`  // feature size of the process
	MM2    float64 `json:"mm2"` // all rows
	// ApartMM2 is the part of the state that the paper of the design does not count.
	ApartMM2 float64   `json:"apart_mm2"`
	Rows     []AreaRow `json:"rows"`
	// Uncounted has the block and the contents of each row of storage without an area: the row is no array, or the
	// number of its ports is not known.
	Uncounted []string `json:"uncounted"`
}

// AreaRow is the area of one row of storage.
type AreaRow struct {
	Block   string  `json:"block"`
	What    string  `json:"what"`
	Kind    string  `json:"kind"`    // of what the arrays are built: sram, flip-flop, cam
	Arrays  int     `json:"arrays"`  // equal ones
	Entries int     `json:"entries"` // of an array, rounded up
	Width   int     `json:"width"`   // bits of an entry
	Ports   string  `json:"ports"`   // of an array, such as 2r1w
	UM2     float64 `json:"um2"`     // of all arrays
	Share   float64 `json:"share"`   // of the area, 0 to 1
	Apart   bool    `json:"apart,omitempty"`
}

// Finish computes sums and shares from the areas of the rows.
func (a *Area) Finish() {
	a.MM2, a.ApartMM2 = 0, 0
	for i := range a.Rows {
		mm2 := a.Rows[i].UM2 / 1e6
		a.MM2 += mm2
		if a.Rows[i].Apart {
			a.ApartMM2 += mm2
		}
	}
	for i := range a.Rows {
		if a.MM2 > 0 {
			a.Rows[i].Share = a.Rows[i].UM2 / 1e6 / a.MM2
		}
	}
}
