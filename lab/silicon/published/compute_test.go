package published

import (
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// executed runs one CTA of a kernel on arrays, and returns what is behind the last pointer.
func executed[T any](t *testing.T, k *kernel, result int, arrays ...[]T) []T {
	t.Helper()
	m, err := ptx.Parse("kernel.ptx", []byte(k.ptx))
	if err != nil {
		t.Fatal(err)
	}
	memory := &mem.Memory{}
	d := &host.Device{Mem: memory, Runner: &emu.Runner{Mem: memory}}
	var args []host.Arg
	for _, a := range arrays {
		args = append(args, host.U64(host.Upload(d, "array", a)))
	}
	out := memory.Alloc("result", result*k.bytes)
	args = append(args, host.U64(out))
	if k.seed != nil {
		args = append(args, *k.seed)
	}
	if err := d.Launch(&host.Launch{Module: m, Kernel: entry, Grid: [3]int{1, 1, 1}, Block: [3]int{k.threads, 1, 1},
		Args: args}); err != nil {
		t.Fatal(err)
	}
	return host.Read[T](d, out, result)
}

func TestTheKernelsOfGPUStreamComputeWhatTheirNamesSay(t *testing.T) {
	a, b := make([]float64, 1024), make([]float64, 1024)
	for i := range a {
		a[i], b[i] = float64(i), float64(i*i)
	}
	for name, want := range map[string]func(x, y float64) float64{
		"copy": func(x, _ float64) float64 { return x }, "mul": func(x, _ float64) float64 { return 3 * x },
		"add":   func(x, y float64) float64 { return x + y },
		"triad": func(x, y float64) float64 { return x + 3*y },
	} {
		k, arrays := stream(name), [][]float64{a, b}
		for i, got := range executed(t, &k, 1024, arrays[:k.arrays-1]...) {
			if got != want(a[i], b[i]) {
				t.Fatalf("%s: element %d is %v, want %v", name, i, got, want(a[i], b[i]))
			}
		}
	}
}

// Whatever the stride, the sums of all threads together are the sum of the array, and a thread's is that of its own
// vectors.
func TestAReadAddsUpEveryElementOnce(t *testing.T) {
	for _, width := range []int{1, 2, 4, 8, 16} {
		for _, grid := range []bool{false, true} {
			k := read(width, grid)
			in := make([]float32, k.elements*width)
			for i := range in {
				in[i] = float32(i % 7)
			}
			for thread, got := range executed(t, &k, k.threads, in)[:k.threads] {
				var want float32
				for f := range fetches {
					for i := range width {
						want += in[(thread+f*k.threads)*width+i]
					}
				}
				if got != want {
					t.Fatalf("%d floats, grid %v: the sum of thread %d is %v, want %v", width, grid, thread, got, want)
				}
			}
		}
	}
}

func TestIntegersOfOneChainAreMultipliedAndAddedInTurn(t *testing.T) {
	k := arithmetic("s32", 1)
	for thread, got := range executed[int32](t, &k, k.threads) {
		x, y := int32(4), int32(thread)
		for range multiplyAdds / 2 {
			x = y*x + y
			y = x*y + x
		}
		if got != y {
			t.Fatalf("thread %d has %d, want %d", thread, got, y)
		}
	}
}
