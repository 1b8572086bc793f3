package published

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

// Source is where values were published.
type Source struct {
	Name, Chip string
	Address    string
	Doc        string // what was measured, and how it is simulated
	// MHz is the clock of the SMs at which the values are simulated.
	MHz int
	SMs int
	// Settings are those of gtx980-sm52 for the kernels.
	Settings []string
}

// Sources lists the sources by the name of their rows' suite.
var Sources = map[string]*Source{
	"stream": {
		Name: "GPU-STREAM 0.0 (BabelStream)", Chip: "GTX 980",
		Address: "github.com/UoB-HPC/BabelStream, 2352b6cc: results/v1.0/cuda/nvidia-gtx-980.txt",
		Doc: "Four kernels on arrays of 49,999,872 doubles, a double of a thread, CTAs of 1,024 threads. The best " +
			"of ten, bytes read and written. The same by OpenCL: 168.9, 168.9, 171.0 and 171.1 GB/s. The clock is " +
			"not given: that of the card's data sheet.",
		MHz: 1126, SMs: 16,
	},
	"clpeak": {
		Name: "clpeak of December 2014, driver 343.19", Chip: "GTX 980",
		Address: "github.com/krrishnarraj/clpeak, ca97ee12: results/NVIDIA_CUDA/GeForce_GTX_980.log",
		Doc: "CTAs of 256 threads. Reads: 16 loads of a thread, of one to 16 floats each, at strides of a CTA or " +
			"of the grid, whichever is quicker. Arithmetic: 2,048 multiply-adds of a thread in straight code, in 1 " +
			"to 16 chains that depend on themselves, each counted as two operations. The clock is the stated one.",
		MHz: 1266, SMs: 16,
	},
	"mixbench": {
		Name: "mixbench, read-only, v0.02, driver 352.63", Chip: "GTX 960",
		Address: "github.com/ekondis/mixbench, 5d324a73: results/CUDA/ro_GTX-960_d352.63.log",
		Doc: "CTAs of 256 threads. A thread four times loads eight numbers and does N multiply-adds on each, of " +
			"which each needs the one before; the row has N. Bytes that are read. The chip (GM206) is half a GTX " +
			"980: 8 SMs, 128 bits of the same DRAM, 1 MB of L2. The stated clock, 1329 MHz, is below what the " +
			"results need: doubles of 256 multiply-adds make 89.70 GFLOPS, at 4 lanes of an SM 1,402 MHz.",
		MHz: 1402, SMs: 8,
		// It was compiled by -Xptxas -dlcm=cg.
		Settings: []string{"mem.l1.cache_global=false"},
	},
}

// Row is a published value.
type Row struct {
	Suite, Name string
	Measured    float64
	Unit        string
}

//go:embed measured.csv
var measured []byte

// Rows returns the published values.
func Rows() ([]Row, error) {
	lines, err := csv.NewReader(bytes.NewReader(measured)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("measured.csv: %w", err)
	}
	var out []Row
	for i, f := range lines[1:] {
		v, err := strconv.ParseFloat(f[2], 64)
		if err != nil || Sources[f[0]] == nil {
			return nil, fmt.Errorf("measured.csv:%d: found %q, expected a suite of Sources, a row, a number and a unit",
				i+2, f)
		}
		out = append(out, Row{Suite: f[0], Name: f[1], Measured: v, Unit: f[3]})
	}
	return out, nil
}
