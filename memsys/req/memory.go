package req

// MemRequest asks a DRAM channel for sectors of a line, or brings them.
type MemRequest struct {
	Addr    uint64 // within the memory of the channel, see addrmap.Map.Local
	Tag     uint32 // reads: the slice's own, returned in the reply
	Sectors uint8
	Write   bool // is not answered
	Cause   Cause
}

// MemReply brings all the sectors of a read.
type MemReply struct {
	Tag     uint32
	Sectors uint8
}
