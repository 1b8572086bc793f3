package regfile

import (
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
)

// MemoryUser has traffic of its own to the L2 and the DRAM: contexts, spilled registers, live vectors.
//
// Contract: Memory returns the same ports each time. In a request the design sets Addr, Tag, Kind, Cause, Sectors,
// Full, Bytes and Flags; a reply returns its Tag. Every request is answered once, unless it is posted, in any
// order. The design may delay accepting replies: the memory system keeps them, and never delays the replies of
// others because of them.
type MemoryUser interface {
	Memory() (requests *wire.OutPort[req.Packet], replies *wire.InPort[req.Packet])
}

// DataCache is a design acting as the first-level data cache of its SM.
//
// Contract: Cache returns the same ports each time. The design answers every transaction once, on Hit or on Fill.
// It never makes a reply wait for an event that may itself wait for outgoing requests. Flush drops every line, for
// example between the launches of kernels; no transaction is in flight then.
type DataCache interface {
	Cache() *l1.Ports
	Flush()
}

// regionBase is the lowest address of the regions of designs, above local memory.
const regionBase = 1 << 43

// mostRegion bounds the size of a region, so that the addresses of 1024 SMs fit the address width of caches.
const mostRegion = 1 << 32

// Region is memory owned by a design, for registers that do not stay in the SM.
type Region struct {
	Base  uint64
	Bytes uint64
}

// Region returns memory of the given size for this SM. The regions of the SMs are contiguous, so they spread over
// slices and sets as arrays do. They contain no program, code or local memory. Every SM of a GPU asks for the same
// size.
func (e *Env) Region(bytes uint64) (Region, error) {
	if bytes < req.LineBytes || bytes > mostRegion || bytes%req.LineBytes != 0 {
		return Region{}, spec.Errorf("region", bytes, "whole lines of %d bytes, up to %d bytes", req.LineBytes,
			mostRegion)
	}
	return Region{Base: regionBase + uint64(e.SM)*bytes, Bytes: bytes}, nil
}

// Has reports whether an address lies in the region.
func (r *Region) Has(addr uint64) bool { return addr-r.Base < r.Bytes }
