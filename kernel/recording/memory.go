package recording

import (
	"fmt"

	"kumiko/kernel/mem"
)

// Base is the address of the device's memory, in the application and on the simulated GPU alike. Programs, their heaps
// and libraries are elsewhere: a program without position-independent code is near 0, everything else is near the end
// of the address space.
const Base = 1 << 36

// Bytes is the size of the device's memory. Pages take room when they are first written. No GPU file has a size of the
// memory; 8 GiB is that of cards of the years of the built-in GPUs.
const Bytes = 8 << 30

// Slack is mapped on both sides of a block. Programs read some hundred bytes outside their blocks (Rodinia's srad_v2
// 512 in front of its first one), and do no harm on a GPU, whose pages are larger. It is the smallest page of a GPU.
const Slack = 4096

// Allocate maps a block of n bytes between its slack, and returns the region's address. The block begins Slack behind
// it. It reports false where no room is left.
func Allocate(m *mem.Memory, n uint64) (addr uint64, ok bool) {
	if n > Bytes {
		return 0, false
	}
	return m.Fit(fmt.Sprintf("cudaMalloc of %d bytes", n), int(n)+2*Slack)
}
