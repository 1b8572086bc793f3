package validation

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

//go:embed testdata/*.ptx
var texts embed.FS

// work is a launch with its data.
type work struct {
	file      string // of the PTX
	kernel    string
	registers int // footprint per thread, from which GPGPU-Sim computes residency
	// prepare fills the device's memory. It returns the arguments, and the buffers copied in by the host, in order.
	prepare func(d *host.Device) ([]host.Arg, []buffer)
}

type buffer struct {
	addr uint64
	size int
}

func module(file string) (*ir.Module, error) {
	text, err := texts.ReadFile("testdata/" + file)
	if err != nil {
		return nil, err
	}
	return ptx.Parse(file, text)
}

// workOf returns the launch of an entry.
func workOf(e *Entry) (*work, error) {
	switch e.Kernel {
	case "vecadd":
		return &work{file: "vecadd.ptx", kernel: "vecadd", registers: 16, prepare: vecadd(e)}, nil
	case "hotspot":
		return &work{file: "hotspot.ptx", kernel: "hotspot", registers: 20, prepare: hotspot(e)}, nil
	case "fmaheavy":
		n := 50
		if e.Launch != "" {
			n = 15
		}
		return &work{file: "fmaheavy.ptx", kernel: "fmaheavy", registers: 48, prepare: elementwise(e, n)}, nil
	case "fma_chain", "fma_ilp4", "fma_1warp_per_sched":
		return chains(e)
	case "sfu":
		return &work{file: "sfu.ptx", kernel: "sfu", registers: 16, prepare: elementwise(e, number(e, trips, 2))}, nil
	case "smem_stride":
		args := []host.Arg{host.S32(int32(number(e, stride, 1))), host.S32(16), host.S32(int32(number(e, trips, 40)))}
		return &work{file: "smem.ptx", kernel: "smem_stride", registers: 32, prepare: outOnly(e, args...)}, nil
	case "smem_chase", "smem_bw":
		args := []host.Arg{host.S32(int32(number(e, stride, 1))), host.S32(int32(number(e, trips, 20)))}
		return &work{file: "smem.ptx", kernel: "smem_chase", registers: 16, prepare: outOnly(e, args...)}, nil
	case "chase_L1", "chase_L2", "chase_DRAM":
		return &work{file: "chase.ptx", kernel: "chase", registers: 16, prepare: chase(e)}, nil
	case "sync_chain":
		return &work{file: "sync_chain.ptx", kernel: "sync_chain", registers: 16,
			prepare: outOnly(e, host.S32(int32(number(e, trips, 20))))}, nil
	case "transpose_tiled":
		return &work{file: "transpose_tiled.ptx", kernel: "transpose_tiled", registers: 20, prepare: transpose}, nil
	case "conv7":
		return &work{file: "conv7.ptx", kernel: "conv7", registers: 24, prepare: conv7}, nil
	case "reduce":
		return &work{file: "reduce.ptx", kernel: "reduce", registers: 16, prepare: reduce(e)}, nil
	}
	return nil, fmt.Errorf("no kernel %q", e.Kernel)
}

// Numbers in the names of launches.
var (
	trips  = regexp.MustCompile(`\.n(\d+)`)
	stride = regexp.MustCompile(`\.s(\d+)`)
	kilo   = regexp.MustCompile(`\.(\d+)k`)
	mega   = regexp.MustCompile(`\.(\d+)m`)
)

func number(e *Entry, re *regexp.Regexp, otherwise int) int {
	m := re.FindStringSubmatch(e.Name)
	if m == nil {
		return otherwise
	}
	n, _ := strconv.Atoi(m[1]) // digits
	return n
}

// threads returns the number of threads in the grid.
func (e *Entry) threads() int {
	n := 1
	for i := range 3 {
		n *= e.Grid[i] * e.Block[i]
	}
	return n
}

func chains(e *Entry) (*work, error) {
	w := &work{file: "fma_chain.ptx", kernel: e.Kernel, registers: 16, prepare: elementwise(e, number(e, trips, 50))}
	if e.Kernel == "fma_1warp_per_sched" {
		w.kernel = "fma_ilp4"
	} else if regexp.MustCompile(`80\.`).MatchString(e.Name) {
		w.kernel = map[string]string{"fma_chain": "fma_chain80", "fma_ilp4": "fma_ilp4_80"}[e.Kernel]
	}
	return w, nil
}

// uniform uploads n floats in [0,1), the same in every run.
func uniform(d *host.Device, name string, n int) buffer {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	v := make([]float32, n)
	for i := range v {
		v[i] = r.Float32()
	}
	return buffer{host.Upload(d, name, v), 4 * n}
}

func zeros(d *host.Device, name string, n int) buffer { return buffer{d.Alloc(name, 4*n), 4 * n} }

func vecadd(e *Entry) func(d *host.Device) ([]host.Arg, []buffer) {
	return func(d *host.Device) ([]host.Arg, []buffer) {
		n := e.threads()
		a, b, c := uniform(d, "a", n), uniform(d, "b", n), zeros(d, "c", n)
		return []host.Arg{host.U64(a.addr), host.U64(b.addr), host.U64(c.addr), host.S32(int32(n))}, []buffer{a, b, c}
	}
}

func hotspot(e *Entry) func(d *host.Device) ([]host.Arg, []buffer) {
	return func(d *host.Device) ([]host.Arg, []buffer) {
		n := e.Grid[0] * e.Block[0]
		t, p, out := uniform(d, "temp", n*n), uniform(d, "power", n*n), zeros(d, "out", n*n)
		return []host.Arg{host.U64(t.addr), host.U64(p.addr), host.U64(out.addr), host.S32(int32(n)),
			host.F32(0.1), host.F32(0.2), host.F32(0.3), host.F32(80), host.F32(0.05)}, []buffer{t, p, out}
	}
}

// elementwise prepares a kernel with 256 inputs, an output per thread, and a number of trips.
func elementwise(e *Entry, trips int) func(d *host.Device) ([]host.Arg, []buffer) {
	return func(d *host.Device) ([]host.Arg, []buffer) {
		in, out := uniform(d, "in", 256), zeros(d, "out", e.threads())
		return []host.Arg{host.U64(in.addr), host.U64(out.addr), host.S32(int32(trips))}, []buffer{in, out}
	}
}

func outOnly(e *Entry, args ...host.Arg) func(d *host.Device) ([]host.Arg, []buffer) {
	return func(d *host.Device) ([]host.Arg, []buffer) {
		out := zeros(d, "out", e.threads())
		return append([]host.Arg{host.U64(out.addr)}, args...), nil
	}
}

// chase prepares a random cycle through the 128-byte lines of a buffer.
func chase(e *Entry) func(d *host.Device) ([]host.Arg, []buffer) {
	size := number(e, kilo, 0)<<10 + number(e, mega, 0)<<20
	return func(d *host.Device) ([]host.Arg, []buffer) {
		base, out := d.Alloc("base", size), d.Alloc("out", 8)
		order := rand.New(rand.NewPCG(2, uint64(size))).Perm(size / 128)
		lines := make([]uint64, size/8)
		for i, line := range order {
			lines[line*16] = base + 128*uint64(order[(i+1)%len(order)])
		}
		host.Write(d, base, lines)
		return []host.Arg{host.U64(base), host.U64(out), host.S32(int32(number(e, trips, 50)))}, []buffer{{base, size}}
	}
}

func transpose(d *host.Device) ([]host.Arg, []buffer) {
	const n = 512
	in, out := uniform(d, "in", n*n), zeros(d, "out", n*n)
	return []host.Arg{host.U64(in.addr), host.U64(out.addr), host.S32(n)}, []buffer{in, out}
}

func conv7(d *host.Device) ([]host.Arg, []buffer) {
	const n, pw = 128, 134
	in, w, out := uniform(d, "in", pw*pw), uniform(d, "w", 49), zeros(d, "out", n*n)
	return []host.Arg{host.U64(in.addr), host.U64(w.addr), host.U64(out.addr), host.S32(n), host.S32(pw)},
		[]buffer{in, w, out}
}

func reduce(e *Entry) func(d *host.Device) ([]host.Arg, []buffer) {
	return func(d *host.Device) ([]host.Arg, []buffer) {
		in, out := uniform(d, "in", 1024*e.Grid[0]), zeros(d, "out", e.Grid[0])
		return []host.Arg{host.U64(in.addr), host.U64(out.addr)}, []buffer{in, out}
	}
}
