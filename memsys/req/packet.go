package req

import "math/bits"

// Kind is the kind of a transaction or a packet, and of its answer.
type Kind uint8

// Kinds of transactions and packets.
const (
	Read   Kind = iota // wants the sectors; the reply brings them
	Write              // brings the sectors; the reply acknowledges
	Atomic             // read-modify-write at the L2; the reply brings old values
	Reduce             // the same without old values; the reply acknowledges
)

// Cause is the purpose of traffic. Bytes are counted by cause.
type Cause uint8

// Causes of traffic.
const (
	GlobalLoad Cause = iota
	GlobalStore
	GlobalAtomic
	LocalLoad
	LocalStore
	TextureLoad
	Prefetch
	WriteBack // dirty lines evicted by a cache
	// Traffic of register-file designs.
	Context          // registers and state of pending warps and CTAs
	Spill            // registers evicted to memory by a register cache, and their return
	LiveVector       // liveness information fetched from memory
	InstructionFetch // lines of the program
	ConstantLoad     // lines of constants
	NumCauses
)

var causeNames = [NumCauses]string{
	"global_load", "global_store", "global_atomic", "local_load", "local_store", "texture_load", "prefetch",
	"write_back", "context", "spill", "live_vector", "instruction_fetch",
	"constant_load",
}

// String returns the name of the cause in statistics.
func (c Cause) String() string { return causeNames[c] }

// Geometry of lines: every cache line of the memory system has 128 bytes in
// four sectors of 32.
const (
	LineBytes   = 128
	SectorBytes = 32
	Sectors     = LineBytes / SectorBytes
	AllSectors  = 1<<Sectors - 1
)

// Flags are optional properties of a request.
type Flags uint8

// Flags.
const (
	Posted Flags = 1 << iota // Write: no acknowledgement
	// Read, Write: no allocation in the L2. A line already present is read and written there all the same.
	NoAllocate
)

// Packet is a request or a reply on the interconnect: at most one line.
type Packet struct {
	Addr    uint64 // of the line
	Tag     uint32 // the client's own, returned in the reply
	SM      uint16 // the requesting SM, destination of the reply
	Warp    uint16 `soft:"for observers"` // context, of traffic for a warp
	Client  uint8  // the requesting block of the SM
	Kind    Kind
	Cause   Cause
	Reply   bool
	Flags   Flags
	Sectors uint8 // sectors wanted or carried
	Full    uint8 // Write: fully written sectors
	Bytes   uint8 // Write, Atomic, Reduce: bytes of data in the request
	Ops     uint8 // Atomic, Reduce: lanes; each is one operation
	Depth   uint8 // Atomic, Reduce: most lanes on one word
}

// HeaderBytes is the size of a packet without its data: address, kind, source and
// tag (8 bytes, as in GPGPU-Sim's READ_PACKET_SIZE).
const HeaderBytes = 8

// Size returns the size of the packet on the interconnect in bytes, header included.
func (p *Packet) Size() int { return HeaderBytes + p.Data() }

// Data returns the bytes of data carried by the packet.
func (p *Packet) Data() int {
	switch {
	case !p.Reply, p.Kind == Atomic:
		return int(p.Bytes) // 0 in requests to read
	case p.Kind == Read:
		return SectorBytes * bits.OnesCount8(p.Sectors)
	}
	return 0
}

// Posted reports whether the packet wants no reply.
func (p *Packet) Posted() bool { return p.Flags&Posted != 0 }

// Answer returns the reply to the packet.
func (p *Packet) Answer() Packet {
	r := *p
	r.Reply = true
	return r
}

// MemRequest requests sectors of a line from a DRAM channel, or writes them.
type MemRequest struct {
	Addr    uint64 // within the memory of the channel, see addrmap.Map.Local
	Tag     uint32 // reads: the slice's own, returned in the reply
	SM      uint16 `soft:"for observers"` // of the packet for which the slice fetches
	Warp    uint16 `soft:"for observers"`
	Sectors uint8
	Write   bool // is not answered
	Cause   Cause
}

// MemReply returns all the sectors of a read.
type MemReply struct {
	Tag     uint32
	Sectors uint8
}
