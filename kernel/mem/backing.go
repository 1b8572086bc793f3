package mem

import (
	"fmt"
	"slices"
	"sort"
)

// workspaceRoom is kept free at the end of a backing, for the workspace of cooperative launches.
const workspaceRoom = 4096

// Back puts the regions of an empty memory into data, which may be shared with another process. The byte at address
// base is data[0]; base is a multiple of Align. data is zero.
func (m *Memory) Back(base uint64, data []byte) error {
	if len(m.regions) > 0 || base%Align != 0 || len(data) < workspaceRoom {
		return fmt.Errorf("found a memory of %d regions to back with %d bytes at %#x, expected an empty one",
			len(m.regions), len(data), base)
	}
	m.backing, m.base, m.next = data, base, base
	return nil
}

// backs reports whether [addr, addr+size) is in the backing.
func (m *Memory) backs(addr uint64, size int) bool {
	off := addr - m.base
	return addr >= m.base && off <= uint64(len(m.backing)) && uint64(size) <= uint64(len(m.backing))-off
}

// fresh returns the memory of a new region.
func (m *Memory) fresh(addr uint64, size int) []byte {
	if m.backing == nil {
		return make([]byte, size)
	}
	off := addr - m.base
	return m.backing[off : off+uint64(size) : off+uint64(size)]
}

// Fit maps size bytes of zeros in the lowest gap of a backed memory with room for them. It reports false if there is
// none. The placement depends only on the order and the sizes of what was mapped and freed.
func (m *Memory) Fit(name string, size int) (addr uint64, ok bool) {
	if size < 0 || size > len(m.backing)-workspaceRoom {
		return 0, false
	}
	at := m.base
	for i := range m.regions {
		r := &m.regions[i]
		if at < r.Addr && uint64(size)+Gap <= r.Addr-at {
			data := m.fresh(at, size)
			clear(data) // of a region before
			m.regions = slices.Insert(m.regions, i, Region{Name: name, Addr: at, Data: data})
			return at, true
		}
		at = (r.Addr + uint64(len(r.Data)) + Gap + Align - 1) / Align * Align
	}
	if !m.backs(at, size+workspaceRoom) {
		return 0, false
	}
	if used := min(at+uint64(size), m.high); used > at { // a region at the end was freed
		clear(m.fresh(at, int(used-at)))
	}
	m.next, m.high = at, max(m.high, at+uint64(size))
	return m.Alloc(name, size), true
}

// Free unmaps the region that begins at an address, and reports false if there is none.
func (m *Memory) Free(addr uint64) bool {
	i := sort.Search(len(m.regions), func(i int) bool { return m.regions[i].Addr >= addr })
	if i == len(m.regions) || m.regions[i].Addr != addr {
		return false
	}
	m.regions = slices.Delete(m.regions, i, i+1)
	return true
}

// Top returns the first address behind everything mapped so far, from which on Place maps.
func (m *Memory) Top() uint64 { return m.next }
