// Package sto is StoreGPU's overlapping SHA-1 of ISPASS-2009: hashes of windows of a buffer, with a window per
// thread, and integer instructions only.
package sto

import (
	"crypto/sha1"
	_ "embed"
	"encoding/binary"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "sto"
	threads = 128
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"sha1_overlap", "storeGPU"},
		Suite:   "ISPASS-2009",
		Summary: "SHA-1 of overlapping windows of a buffer: long straight-line integer code, high register pressure, " +
			"16 KB of shared memory per CTA.",
		Papers: map[string]string{"sharing": "set-2 (shared memory)", "ltrf": "register-sensitive (inferred)"},
		Kernels: []benchmarks.KernelInfo{{Name: "sha1_overlap", Block: benchmarks.Dim(threads), Shared: 16256,
			PaperRegisters: 48}},
		Outputs: []string{"digest"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// buffer has a number of windows of `chunk` bytes, `offset` bytes apart.
type buffer struct{ windows, chunk, offset int }

// Shared memory limits residency to five CTAs on a 96-KB SM, so 192 CTAs are three waves on four SMs at three times
// this residency.
var sizes = benchmarks.Sizes[buffer]{
	Test:  buffer{threads + 20, 70, 13}, // two blocks
	Small: buffer{4 * threads, 200, 32},
	Study: buffer{192 * threads, 50, 16}, // one block
	Paper: &buffer{384 * threads, 200, 32},
}

func run(c *benchmarks.Context, b buffer) error {
	data := make([]byte, (b.windows-1)*b.offset+b.chunk)
	r := c.Rand("data")
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	ddata := host.Upload(c.Device, "data", data)
	ddigest := c.Alloc("digest", 20*b.windows)
	err := c.Launch("sha1_overlap", benchmarks.Dim(benchmarks.CeilDiv(b.windows, threads)), benchmarks.Dim(threads),
		host.U64(ddata), host.S32(int32(b.chunk)), host.S32(int32(b.offset)), host.S32(int32(b.windows)),
		host.U64(ddigest))
	if err != nil {
		return err
	}
	var want []uint32
	for i := range b.windows {
		sum := sha1.Sum(data[i*b.offset : i*b.offset+b.chunk])
		for k := 0; k < len(sum); k += 4 {
			want = append(want, binary.BigEndian.Uint32(sum[k:]))
		}
	}
	return benchmarks.Equal("digest", host.Read[uint32](c.Device, ddigest, 5*b.windows), want)
}
