// Package host is a host program's view of a device: memory to allocate, write and read, and kernels to launch. The
// same host program runs on the functional emulator and on a timed GPU.
package host

import (
	"encoding/binary"
	"fmt"
	"math"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/texture"
)

// Arg is a kernel argument: its bytes, little-endian, and its alignment in the parameter block.
type Arg struct {
	Bytes []byte
	Align int
}

// S32, U32, U64, F32 and F64 return scalar arguments. A pointer is a U64.
func S32(v int32) Arg { return U32(uint32(v)) }

// U32 returns an unsigned 32-bit argument.
func U32(v uint32) Arg { return Arg{binary.LittleEndian.AppendUint32(nil, v), 4} }

// U64 returns an unsigned 64-bit argument.
func U64(v uint64) Arg { return Arg{binary.LittleEndian.AppendUint64(nil, v), 8} }

// F32 returns a single-precision argument.
func F32(v float32) Arg { return U32(math.Float32bits(v)) }

// F64 returns a double-precision argument.
func F64(v float64) Arg { return U64(math.Float64bits(v)) }

// Launch is one kernel launch.
type Launch struct {
	Module *ir.Module
	Kernel string
	Grid   [3]int // CTAs; unused dimensions are 1
	Block  [3]int // threads
	// DynShared is the dynamic shared memory per CTA in bytes.
	DynShared int
	// Registers is the footprint in registers per thread. 0: as many as the allocator needs. Otherwise the kernel
	// is allocated with at most this many and charged for exactly this many.
	Registers int
	Args      []Arg
	// Cluster is the size of a cluster in CTAs; zero: as the kernel requires, or none.
	Cluster [3]int
	// Cooperative: all CTAs are resident at once and may wait for each other.
	Cooperative bool
	// Queue places the launch among others that may overlap; nil: it runs alone.
	Queue *Queue
}

// Threads per CTA.
func (l *Launch) Threads() int { return l.Block[0] * l.Block[1] * l.Block[2] }

// CTAs in the grid.
func (l *Launch) CTAs() int { return l.Grid[0] * l.Grid[1] * l.Grid[2] }

// Runner executes launches.
//
// Contract: Launch returns after the kernel has finished; its effects are then in the device's memory. The time of a
// launch with a Queue may be simulated later. An error
// caused by the input describes the fault and its place; the memory is then undefined.
type Runner interface {
	Launch(l *Launch) error
}

// Device is memory and a runner of kernels on it.
type Device struct {
	Mem    *mem.Memory
	Runner Runner
}

// Launch runs a kernel.
func (d *Device) Launch(l *Launch) error { return d.Runner.Launch(l) }

// Alloc maps size bytes of zeros.
func (d *Device) Alloc(name string, size int) uint64 { return d.Mem.Alloc(name, size) }

// BindTexture binds a texture reference of a module, for this and later launches.
func (d *Device) BindTexture(m *ir.Module, name string, t texture.Texture) error {
	return d.Mem.BindTexture(m, name, t)
}

// NewTexture makes a texture object and returns its handle, a kernel argument of 64 bits.
func (d *Device) NewTexture(t texture.Texture) (uint64, error) { return d.Mem.NewTexture(t) }

// Program is a host program: it allocates, launches, and checks the results.
type Program interface {
	Name() string
	// Run returns a *CheckError if the results are wrong, and another error if it did not get as far as the check.
	Run(d *Device) error
}

// CheckError reports wrong results of a completed program.
type CheckError struct {
	Buffer     string
	Mismatches int
	First      string // the first mismatch, in words
}

func (e *CheckError) Error() string {
	n := "1 element differs"
	if e.Mismatches != 1 {
		n = fmt.Sprintf("%d elements differ", e.Mismatches)
	}
	return fmt.Sprintf("%s: %s from what was expected; first: %s", e.Buffer, n, e.First)
}

// Upload allocates a buffer and fills it with the little-endian bytes of data,
// a slice of fixed-size numbers.
func Upload[T any](d *Device, name string, data []T) uint64 {
	a := d.Alloc(name, binary.Size(data))
	Write(d, a, data)
	return a
}

// Write copies numbers to the device. It panics when the range is not mapped.
func Write[T any](d *Device, addr uint64, data []T) {
	b, err := d.Mem.Bytes(addr, binary.Size(data))
	if err != nil {
		panic(err)
	}
	if _, err := binary.Encode(b, binary.LittleEndian, data); err != nil {
		panic(err)
	}
}

// Read copies n numbers from the device. It panics when the range is not mapped.
func Read[T any](d *Device, addr uint64, n int) []T {
	out := make([]T, n)
	b, err := d.Mem.Bytes(addr, binary.Size(out))
	if err != nil {
		panic(err)
	}
	if _, err := binary.Decode(b, binary.LittleEndian, out); err != nil {
		panic(err)
	}
	return out
}
