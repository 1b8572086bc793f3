package all_test

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"
	"testing"

	"kumiko/benchmarks"
	"kumiko/kernel/cubin"
	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/cubin/volta"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// approximate has the programs whose results are not the same bits, and the largest difference in units of the largest
// number of a buffer. Both use sines and cosines: machine code multiplies an angle by 1 / 2 pi, rounded, before MUFU,
// and PTX's sin.approx is of the angle itself here. The product is off by up to 2^-24 of itself for 1 / 2 pi and 2^-23
// for its rounding (RZ), times 2 pi; the angles are below a few turns.
var approximate = map[string]float64{"fft": 0x1p-20, "mri-q": 0x1p-20}

// memoryOf runs an application at size test with the kernels given, nil for those of its PTX.
func memoryOf(t *testing.T, app *benchmarks.App, compile func(*host.Launch) (*ir.Kernel, error)) []mem.Region {
	t.Helper()
	m := &mem.Memory{}
	execute(t, app, m, &emu.Runner{Mem: m, Out: io.Discard, Compile: compile})
	return m.Regions()
}

// differences returns the number of words in which two memories differ, and the largest difference of two numbers in
// units of the largest number of its buffer.
func differences(t *testing.T, got, want []mem.Region) (words int, most float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d buffers, want %d", len(got), len(want))
	}
	for i := range want {
		g, w := got[i].Data, want[i].Data
		if len(g) != len(w) {
			t.Fatalf("%s has %d bytes, want %d", want[i].Name, len(g), len(w))
		}
		largest, difference := 0.0, 0.0
		for j := 0; j < len(w); j++ {
			if g[j] == w[j] {
				continue
			}
			j &^= 3
			x := float64(math.Float32frombits(binary.LittleEndian.Uint32(g[j:])))
			y := float64(math.Float32frombits(binary.LittleEndian.Uint32(w[j:])))
			words++
			if difference = max(difference, math.Abs(x-y)); x != x || y != y {
				difference = math.Inf(1)
			}
			j += 3
		}
		for j := 0; difference > 0 && j+4 <= len(w); j += 4 {
			largest = max(largest, math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(w[j:])))))
		}
		if difference > 0 {
			most = max(most, difference/largest)
		}
	}
	return words, most
}

// Machine code of the same PTX, by NVIDIA's ptxas, leaves the same memory: the packed code, and that of another
// architecture where ptxas is installed. With -short only a few programs run, for one architecture.
func TestMachineCodeLeavesTheMemoryOfItsPTX(t *testing.T) {
	archs := []int{52, 70, 75, 80, 86, 90}
	if _, err := tools.Find(); err == nil {
		archs = append(archs, 61)
	} else {
		t.Logf("without sm_61: %v", err)
	}
	if testing.Short() {
		archs = []int{75}
	}
	codes := map[int]*cubin.Assembler{}
	for _, arch := range archs {
		code, err := cubin.New(arch)
		if err != nil {
			t.Fatal(err)
		}
		codes[arch] = code
	}
	for _, app := range benchmarks.List() {
		if testing.Short() && !slices.Contains([]string{"bfs", "hotspot", "sgemm", "shader.shadow"}, app.Name) {
			continue
		}
		t.Run(app.Name, func(t *testing.T) {
			want := memoryOf(t, app, nil)
			for arch, code := range codes {
				words, most := differences(t, memoryOf(t, app, code.Kernel), want)
				bound, ok := approximate[app.Name]
				switch {
				case words > 0 && !ok:
					t.Errorf("sm_%d: %d words differ, by up to %g of the largest number", arch, words, most)
				case most > bound:
					t.Errorf("sm_%d: %d words differ, by up to %g of the largest number, expected at most %g", arch,
						words, most, bound)
				case ok:
					t.Logf("sm_%d: %d words differ, by up to %g of the largest number", arch, words, most)
				}
			}
		})
	}
}

// The listings are in the project, so this needs none of NVIDIA's programs.
func TestTheListingsOfBfsAndHotspotLeaveTheMemoryOfTheirPTX(t *testing.T) {
	for _, name := range []string{"bfs", "hotspot"} {
		file := "../../kernel/cubin/listing/testdata/" + name + ".sm_75.txt"
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := listing.Read(file, string(data))
		if err != nil {
			t.Fatal(err)
		}
		done := map[string]*ir.Kernel{}
		machine := func(l *host.Launch) (k *ir.Kernel, err error) {
			if k = done[l.Kernel]; k == nil {
				k, err = volta.Family.Kernel(f, l.Kernel, l.Module)
				done[l.Kernel] = k
			}
			return k, err
		}
		app := benchmarks.Find(name)
		if words, _ := differences(t, memoryOf(t, app, machine), memoryOf(t, app, nil)); words > 0 || len(done) == 0 {
			t.Errorf("%s: %d words differ, of %d kernels", name, words, len(done))
		}
	}
}
