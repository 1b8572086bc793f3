// Package mem is the functional global memory of a device: named regions, each contiguous, with unmapped space
// between them. So an access outside a buffer is detected.
package mem

import (
	"encoding/binary"
	"fmt"
	"sort"

	"kumiko/kernel/ir"
	"kumiko/kernel/texture"
)

// Align is the smallest alignment of a region, in bytes, as in cudaMalloc.
const Align = 256

// Gap is the unmapped space kept behind every region, in bytes.
const Gap = 256

// Region is one allocation.
type Region struct {
	Name string
	Addr uint64
	Data []byte
}

// Memory is a set of regions in the global address space, in address order.
// The zero value is empty and ready to use. Allocation is not safe for
// concurrent use with access.
type Memory struct {
	regions []Region
	next    uint64
	modules map[*ir.Module]*module
	objects []*texture.Texture // texture objects
	// workspace is the address of the workspace of cooperative launches, 0 before the first.
	workspace uint64
	backing   []byte // nil: each region has memory of its own
	base      uint64 // the address of backing
	high      uint64 // the bytes of backing from this address on were never part of a region of Fit
	noted     *Pages // nil: stores are not noted
}

// Alloc maps size bytes, zero-filled, at the next free address, and returns this address. The placement depends
// only on the order and the sizes of the allocations.
func (m *Memory) Alloc(name string, size int) uint64 { return m.AllocApart(name, size, 0) }

// AllocApart is Alloc with apart additional bytes of unmapped space behind the region.
func (m *Memory) AllocApart(name string, size, apart int) uint64 {
	if m.next == 0 {
		m.next = ir.GlobalBase
	}
	a := m.next
	m.regions = append(m.regions, Region{Name: name, Addr: a, Data: m.fresh(a, size)})
	m.next = (a + uint64(size) + Gap + uint64(apart) + Align - 1) / Align * Align
	return a
}

// workspaceBytes is the size of the memory at %envreg1 and %envreg2: the number of bytes of a workspace, and a word
// in which the CTAs of a grid count themselves, as in the device code of CUDA's cooperative groups.
const workspaceBytes = 8

// GridWorkspace returns the address of the only workspace of cooperative launches. One is enough: launches follow
// one another, and leave it unchanged except for the uppermost bit.
func (m *Memory) GridWorkspace() uint64 {
	if m.workspace == 0 {
		m.workspace = m.Alloc("the workspace of cooperative launches", workspaceBytes)
		binary.LittleEndian.PutUint32(m.Find(m.workspace, workspaceBytes).Data, workspaceBytes)
	}
	return m.workspace
}

// Place maps size bytes at a fixed address at or above the end of every region so far.
func (m *Memory) Place(name string, addr uint64, size int) error {
	if addr < m.next {
		return fmt.Errorf("%s: address %#x is taken already", name, addr)
	}
	if m.backing != nil && !m.backs(addr, size) {
		return fmt.Errorf("%s: address %#x (%d bytes) is outside the memory of the device", name, addr, size)
	}
	m.next = addr
	m.Alloc(name, size)
	return nil
}

// Find returns the region with [addr, addr+size), or nil.
func (m *Memory) Find(addr uint64, size int) *Region {
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Addr > addr })
	if i == 0 {
		return nil
	}
	r := &m.regions[i-1]
	if off := addr - r.Addr; off <= uint64(len(r.Data)) && uint64(size) <= uint64(len(r.Data))-off {
		return r
	}
	return nil
}

// Within lists the regions with a part in [lo, hi), in address order. The data is the memory's own.
func (m *Memory) Within(lo, hi uint64) []Region {
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Addr+uint64(len(m.regions[i].Data)) > lo })
	j := i
	for j < len(m.regions) && m.regions[j].Addr < hi {
		j++
	}
	return m.regions[i:j]
}

// Regions lists the regions in address order. The data is the memory's own.
func (m *Memory) Regions() []Region { return m.regions }

// Bytes returns the memory's own [addr, addr+size). Its error describes the contents around addr.
func (m *Memory) Bytes(addr uint64, size int) ([]byte, error) {
	r := m.Find(addr, size)
	if r == nil {
		return nil, fmt.Errorf("address %#x (%d bytes) is in no buffer%s", addr, size, m.Near(addr))
	}
	off := addr - r.Addr
	return r.Data[off : off+uint64(size)], nil
}

// Near describes the place of an address outside all regions, for a message: a colon, and the neighbouring regions,
// the nearer one first. It returns "" if there are no regions.
func (m *Memory) Near(addr uint64) string {
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Addr > addr })
	before, past := "", uint64(0) // the region before, and how far past its end
	if i > 0 {
		r := &m.regions[i-1]
		past = addr - min(addr, r.Addr+uint64(len(r.Data)))
		before = fmt.Sprintf("%d bytes past the start of %q at %#x, which has %d", addr-r.Addr, r.Name, r.Addr,
			len(r.Data))
	}
	if i == len(m.regions) {
		if before == "" {
			return ""
		}
		return ": " + before
	}
	r := &m.regions[i]
	after := fmt.Sprintf("%d bytes before the start of %q at %#x", r.Addr-addr, r.Name, r.Addr)
	switch {
	case before == "":
		return ": " + after
	case past > 0 && r.Addr-addr < past:
		return ": " + after + ", and " + before
	}
	return ": " + before + ", and " + after
}
