package result

// Code describes the machine code of a kernel that was not made by Kumiko's compiler.
type Code struct {
	Kernel    string `json:"kernel"`
	Code      string `json:"code"`      // sm_75
	Assembler string `json:"assembler"` // with its version
	// Registers is the number of registers per thread that the assembler needed, before rounding up.
	Registers    int    `json:"registers"`
	SpilledBytes int    `json:"spilled_bytes"`
	Instructions int    `json:"instructions"`
	Hash         string `json:"listing_hash"` // SHA-256
	// Notes say what of the PTX was changed to be assembled: its architecture, its version.
	Notes []string `json:"notes,omitempty"`
}
