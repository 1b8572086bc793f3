package regfile

import (
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/memsys/l1"
	"kumiko/memsys/req"
)

// MemoryUser has traffic of its own to the L2 and the DRAM: contexts, spilled
// registers, live vectors.
//
// Contract: Memory returns the same ports each time. Of a request the design sets
// Addr, Tag, Kind, Cause, Sectors, Full, Bytes and Flags; a reply returns its Tag.
// Every request that is not posted is answered once, in any order. The design may
// delay taking replies: the memory system keeps them, and never delays the replies
// of others for them.
type MemoryUser interface {
	Memory() (requests *wire.OutPort[req.Packet], replies *wire.InPort[req.Packet])
}

// DataCache is a design that is the first-level data cache of its SM itself.
//
// Contract: Cache returns the same ports each time. The design answers every
// transaction once, on Hit or on Fill. It never makes a reply wait for an event that
// may itself wait for the requests to leave. Flush drops every line, as between the
// launches of kernels; nothing is under way then.
type DataCache interface {
	Cache() *l1.Ports
	Flush()
}

// regionBase is where the regions of designs lie among addresses: above local memory.
const regionBase = 1 << 43

// mostRegion bounds a region, so that the addresses of 1024 SMs fit the width
// used by caches.
const mostRegion = 1 << 32

// Region is memory of a design's own, for registers that do not stay in the SM.
type Region struct {
	Base  uint64
	Bytes uint64
}

// Region is memory of the given number of bytes for this SM. The regions of the SMs follow one
// another, so that they spread over slices and sets as arrays do, and no program, code
// or local memory lies there. Every SM of a GPU asks for the same size.
func (e *Env) Region(bytes uint64) (Region, error) {
	if bytes < req.LineBytes || bytes > mostRegion || bytes%req.LineBytes != 0 {
		return Region{}, spec.Errorf("region", bytes, "whole lines of %d bytes, up to %d bytes", req.LineBytes,
			mostRegion)
	}
	return Region{Base: regionBase + uint64(e.SM)*bytes, Bytes: bytes}, nil
}

// Has reports whether an address lies in the region.
func (r *Region) Has(addr uint64) bool { return addr-r.Base < r.Bytes }
