package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// magic begins every job, and every answer.
const magic = 0x6f6b696d756b

// page is the granularity in bytes at which the host maps buffers.
const page = 1 << 16

// A job is a launch together with its initial memory.
type job struct {
	launch  *host.Launch
	mem     *mem.Memory
	symbols []string // variables present both in the module and in the host program
}

// newJob returns a job for a kernel of a module, with memory contents derived from the kernel's seed.
func newJob(k *kernel, m *ir.Module) (*job, error) {
	j := &job{mem: &mem.Memory{}, launch: &host.Launch{Module: m, Kernel: k.name, Grid: k.grid, Block: k.block,
		DynShared: k.dynShared}}
	if err := j.mem.LoadModule(m); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(k.seed, 2))
	at := map[string]uint64{}
	buffer := func(name string, t typ, n int) {
		at[name] = j.mem.Alloc(name, n*t.bits()/8)
		data, _ := j.mem.Bytes(at[name], n*t.bits()/8)
		fill(r, data, t)
	}
	for _, p := range k.params {
		if t := typ(p.buffer[min(len(p.buffer), 3):]); inputs[t] > 0 {
			buffer(p.buffer, t, inputs[t])
		}
	}
	for _, t := range []typ{tI32, tF32, tU64} {
		buffer("io_"+string(t), t, ownWords*k.all())
	}
	buffer("sum32", tU32, sumWords)
	buffer("sum64", tU64, sumWords)
	for i, name := range []string{"out_i", "out_f", "out_d"} {
		at[name] = j.mem.Alloc(name, max(8, k.outs[i]*k.all()*[]int{8, 4, 8}[i]))
	}
	for _, p := range k.params {
		arg := host.Arg{Bytes: p.bytes, Align: p.align}
		if p.buffer != "" {
			arg = host.U64(at[p.buffer])
		}
		j.launch.Args = append(j.launch.Args, arg)
	}
	return j, nil
}

// fill writes numbers of a type: of all magnitudes, and for floating point of all kinds, with NaNs as made by PTX.
func fill(r *rand.Rand, data []byte, t typ) {
	step := t.bits() / 8
	for i := 0; i < len(data); i += step {
		v := r.Uint64()
		switch kind := r.IntN(8); {
		case kind == 0:
			v >>= r.IntN(64)
		case kind == 1:
			v = -(v >> r.IntN(64))
		case kind < 6 && t == tF32:
			v = uint64(math.Float32bits(float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(8)-3)))))
		case kind < 6 && t == tF64:
			v = math.Float64bits(r.NormFloat64() * math.Pow(10, float64(r.IntN(8)-3)))
		case t.isFloat() && kind == 6:
			v = uint64(r.IntN(100)) << r.IntN(60) // subnormal, or nearly zero
		case t == tF32 && kind == 7:
			v = uint64(pick(r, uint32(0x7f800000), 0xff800000, 0x7fffffff, 0x80000000, 0, 0x3f800000))
		case t == tF64 && kind == 7:
			v = pick(r, uint64(0x7ff0000000000000), 0xfff0000000000000, 0x7ff8000000000000, 1<<63, 0)
		}
		if t == tF32 && math.IsNaN(float64(math.Float32frombits(uint32(v)))) {
			v = 0x7fffffff
		}
		if t == tF64 && math.IsNaN(math.Float64frombits(v)) {
			v = 0x7ff8000000000000
		}
		for b := range step {
			data[i+b] = byte(v >> (8 * b))
		}
	}
}

// regions returns the buffers passed to the host: all but the module's own variables.
func (j *job) regions() []mem.Region {
	var out []mem.Region
	own := map[uint64]bool{}
	for _, v := range j.launch.Module.Vars {
		if v.Space == ir.Global {
			own[v.Address] = true
		}
	}
	for _, r := range j.mem.Regions() {
		if !own[r.Addr] {
			out = append(out, r)
		}
	}
	return out
}

// write writes the job in the format read by runtime.cpp: 64-bit words, and texts and bytes preceded by their
// length.
func (j *job) write(b *bytes.Buffer) error {
	word := func(v uint64) { b.Write(binary.LittleEndian.AppendUint64(nil, v)) }
	text := func(s string) { word(uint64(len(s))); b.WriteString(s) }
	word(magic)
	text(j.launch.Kernel)
	for _, d := range [][3]int{j.launch.Grid, j.launch.Block} {
		for _, n := range d {
			word(uint64(n))
		}
	}
	list := j.regions()
	low, high := ^uint64(0), uint64(0)
	for _, r := range list {
		low, high = min(low, r.Addr&^(page-1)), max(high, (r.Addr+uint64(len(r.Data))+page-1)&^(page-1))
	}
	word(min(low, high))
	word(high)
	word(uint64(len(list)))
	for _, r := range list {
		word(r.Addr)
		word(uint64(len(r.Data)))
		b.Write(r.Data)
	}
	word(uint64(len(j.symbols)))
	for _, s := range j.symbols {
		data, err := j.mem.Symbol(j.launch.Module, s)
		if err != nil {
			return err
		}
		text(s)
		word(uint64(len(data)))
		b.Write(data)
	}
	text(string(parameters(j.launch.Args)))
	return nil
}

// parameters lays arguments out like the members of a C++ structure.
func parameters(args []host.Arg) []byte {
	var b []byte
	for _, a := range args {
		for len(b)%a.Align != 0 {
			b = append(b, 0)
		}
		b = append(b, a.Bytes...)
	}
	return b
}

// A result has the contents of the buffers and the variables after a launch, in the job's order.
type result [][]byte

// memory returns the present contents of the job's memory.
func (j *job) memory() result {
	var out result
	for _, r := range j.regions() {
		out = append(out, r.Data)
	}
	for _, s := range j.symbols {
		data, _ := j.mem.Symbol(j.launch.Module, s)
		out = append(out, data)
	}
	return out
}

// onHost runs jobs on the host. It leaves the jobs' memory unchanged. It returns the results up to the first failed
// job, with that job's error.
func onHost(program string, jobs []*job, args ...string) ([]result, error) {
	var in, out, errs bytes.Buffer
	for _, j := range jobs {
		if err := j.write(&in); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	failed := cmd.Run()
	var list []result
	for _, j := range jobs {
		r, err := answer(&out, j)
		if err != nil {
			if failed != nil {
				err = fmt.Errorf("%w: %s", failed, bytes.TrimSpace(errs.Bytes()))
			}
			return list, fmt.Errorf("%s on the host: %w", j.launch.Kernel, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// answer reads the result of a job.
func answer(from io.Reader, j *job) (result, error) {
	var word [8]byte
	if _, err := io.ReadFull(from, word[:]); err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint64(word[:]) != magic {
		return nil, fmt.Errorf("found %x, expected the beginning of an answer", word)
	}
	var out result
	for _, data := range j.memory() {
		b := make([]byte, len(data))
		if _, err := io.ReadFull(from, b); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}
