package measured

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// App is the record of an application.
type App struct {
	Name    string         `json:"name"`
	Sizes   map[string]Run `json:"sizes"` // by the name of the size
	Kernels []Kernel       `json:"kernels"`
}

// Run has the counts of one run of an application.
type Run struct {
	Launches           int    `json:"launches"`
	WarpInstructions   uint64 `json:"warp_instructions"`
	ThreadInstructions uint64 `json:"thread_instructions"` // lanes with a true guard, summed over warp instructions
	Memory             uint64 `json:"memory_instructions"` // warp instructions: loads, stores, atomics and textures of any space
	OffChip            uint64 `json:"off_chip_instructions"`
	Values             Values `json:"values"`
	Work               []Work `json:"kernels"` // in the order of the registry
}

// Work is a kernel's part of a run.
type Work struct {
	Kernel           string `json:"kernel"`
	CTAs             int    `json:"ctas"` // of the largest launch
	WarpInstructions uint64 `json:"warp_instructions"`
}

// Values counts the values written to warp registers by their number of reads. A write begins a new value even if
// only some lanes execute it, and ends the register's previous value. An instruction naming a register twice reads
// it twice.
type Values struct {
	Written   uint64 `json:"written"`
	Reads     uint64 `json:"reads"`
	Never     uint64 `json:"never_read"`
	Once      uint64 `json:"read_once"`
	Soon      uint64 `json:"read_once_within_3"` // values read once, at most three warp instructions later
	MoreThan2 uint64 `json:"read_more_than_twice"`
}

// Kernel has the register figures of a kernel, as it is compiled for the GPU of the table.
type Kernel struct {
	Name      string `json:"name"`
	Used      int    `json:"used"`   // registers per thread
	Alloc4    int    `json:"alloc4"` // used, rounded up to 4
	MaxLive   int    `json:"max_live"`
	Footprint int    `json:"footprint"` // registers charged for residency
	Spilled   int    `json:"spilled_bytes"`
	// Charged is the footprint on each built-in GPU, by its name.
	Charged map[string]int `json:"charged"`
}

// Lanes returns the mean number of active lanes, of 32.
func (r *Run) Lanes() float64 { return ratio(r.ThreadInstructions, r.WarpInstructions) }

// MemoryShare returns the share of warp instructions accessing memory.
func (r *Run) MemoryShare() float64 { return ratio(r.Memory, r.WarpInstructions) }

// OffChipShare returns the share of warp instructions accessing global, local or texture memory.
func (r *Run) OffChipShare() float64 { return ratio(r.OffChip, r.WarpInstructions) }

// ReadsPerValue returns the mean number of reads of a value.
func (v *Values) ReadsPerValue() float64 { return ratio(v.Reads, v.Written) }

// Share returns n as a share of all values.
func (v *Values) Share(n uint64) float64 { return ratio(n, v.Written) }

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

//go:embed measured.json
var table []byte

var apps = sync.OnceValue(func() []App {
	var out []App
	if err := json.Unmarshal(table, &out); err != nil {
		panic(fmt.Sprintf("measured.json: %v", err)) // the file is part of the program
	}
	return out
})

// List returns every record, by name.
func List() []App { return slices.Clone(apps()) }

// Of returns the record of an application, or nil.
func Of(name string) *App {
	for i := range apps() {
		if a := &apps()[i]; a.Name == name {
			return a
		}
	}
	return nil
}

// Kernel returns the record of a kernel, or nil.
func (a *App) Kernel(name string) *Kernel {
	for i := range a.Kernels {
		if k := &a.Kernels[i]; k.Name == name {
			return k
		}
	}
	return nil
}
