package memsys

import (
	"kumiko/components/mshr"
	"kumiko/components/tagarray"
	"kumiko/memsys/access"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/cache"
	"kumiko/memsys/coalescer"
	"kumiko/memsys/constant"
	"kumiko/memsys/dram"
	"kumiko/memsys/l1"
	"kumiko/memsys/l2"
	"kumiko/memsys/noc"
	"kumiko/memsys/shared"
	"kumiko/memsys/simple"
)

// Sources named in the comments below: "FineReg" is Oh et al., MICRO 2018,
// table I; "GPGPU-Sim 980" and "GPGPU-Sim 480" are the configurations of the
// GTX 980 and the GTX 480 for GPGPU-Sim 4.2.0; "Gebhart" is Gebhart et al.,
// ISCA 2011, section 2.1 and table 4; "Jia" is Jia et al., arXiv 1903.07486
// (unloaded latencies on Maxwell: L1 about 82, L2 about 207).

// GTX980 returns a GTX 980-like memory system, with FineReg's sizes and the other settings
// of GPGPU-Sim 980.
func GTX980() Spec {
	return Spec{
		// not binding: the load/store unit and the MSHRs are
		Access: access.Spec{InFlight: 256, Queue: 4},
		// GPGPU-Sim 980: sector requests; queue: one at work, one next
		Coalescer: coalescer.Spec{Segment: 32, Around: 32, Queue: 2, Rate: 2},
		// GPGPU-Sim 980; atomic: a read and a write of the bank
		Shared: shared.Spec{Banks: 32, Word: 4, Latency: 24, Atomic: 2, Queue: 2},
		// rationale: an on-chip array behind the same unit as shared memory. Without lines the rest is not used.
		Constant: constant.Spec{Latency: 24, Queue: 2, Ways: 8, Line: 64, Miss: 84},
		L1:       gtx980L1(),
		Texture:  gtx980Texture(),
		Backing:  "dram",
		// GPGPU-Sim 980: flit; latency: makes an unloaded L2 hit 206 cycles (Jia: about 207)
		NoC: noc.Spec{Flit: 40, Latency: 40, Lane: 8, Buffer: 8},
		// GPGPU-Sim 980: each line is placed at random
		Map:   addrmap.Spec{Block: 128, Policy: "random", Seed: 1},
		L2:    gtx980L2(),
		DRAM:  gtx980DRAM(),
		Fixed: simple.Spec{Latency: 400, Bandwidth: 32, Lane: 8, Buffer: 8}, // not used
		// rationale: as many as an L1 of GPGPU-Sim 480 has
		DesignQueue: 8,
	}
}

func gtx980L1() l1.Spec {
	return l1.Spec{
		// FineReg: 48 KB, 8 ways; GPGPU-Sim 980: 128 B lines of 32 B sectors, LRU, linear index.
		Geometry: cache.Geometry{
			Tags: tagarray.Spec{Sets: 48, Ways: 8, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
			// rationale: FineReg gives none; 128 where a paper is silent. Merges: GPGPU-Sim 980
			MSHR: mshr.Spec{Entries: 128, Merges: 8},
		},
		Latency: 82,                                               // GPGPU-Sim 980; Jia
		Port:    64, Banks: 2, BankBytes: 32, BankIndex: "linear", // GPGPU-Sim 980: two banks of 32 B
		TagBanks: 1, TagQueue: 4, // GPGPU-Sim: lookups in order
		Queue:       8,         // rationale: bursts of an uncoalesced instruction
		MissQueue:   16,        // GPGPU-Sim 980
		Allocate:    "on_fill", // GPGPU-Sim 980: streaming
		Write:       "through", // GPGPU-Sim 980: global stores go through, no allocation
		LocalWrite:  "back",    // GPGPU-Sim 980
		CacheGlobal: true,      // GPGPU-Sim 980: on by default
	}
}

func gtx980Texture() l1.Spec {
	s := gtx980L1()
	s.CacheGlobal = false // no global loads come here
	return s
}

func gtx980L2() l2.Spec {
	return l2.Spec{
		Slices: 16, // GPGPU-Sim 980
		// FineReg: 2048 KB, 8 ways: 128 KB per slice. GPGPU-Sim 980: sectors, LRU, polynomial hash.
		Geometry: cache.Geometry{
			Tags: tagarray.Spec{Sets: 128, Ways: 8, Line: 128, Sector: 32, Replace: "lru", Index: "ipoly"},
			MSHR: mshr.Spec{Entries: 256, Merges: 64}, // GPGPU-Sim 980
		},
		Latency:   120, // GPGPU-Sim 980: ROP delay
		Port:      32,  // GPGPU-Sim 980
		Queue:     32,  // GPGPU-Sim 980: partition queues
		MissQueue: 16,  // GPGPU-Sim 980
		// rationale: as wide as the data port; a read-modify-write pipeline of 4 stages
		AtomicRate: 8, AtomicLatency: 4, AtomicQueue: 8,
	}
}

func gtx980DRAM() dram.Spec {
	return dram.Spec{
		// FineReg gives 352.5 GB/s alone: 16 channels x 4 B x 4 x 1377 MHz. Parts as
		// in GPGPU-Sim 980: 32-bit GDDR5, burst 8, 16 banks in 4 groups.
		Channels: 16, Clock: 1377, Bus: 4, Rate: 4, Burst: 8, Banks: 16, Groups: 4,
		// rationale: 2 KB pages (GDDR5, JESD212); a line per bank; strides spread over banks
		Row: 2048, Stripe: 128, BankHash: true,
		Queue: 64, Return: 64, Policy: "frfcfs", // GPGPU-Sim 980
		Starve: 1000, High: 32, Low: 8, // rationale: well above an unloaded access; half and an eighth of the queue
		Latency: 100, Back: 2, // GPGPU-Sim 980: L2 to DRAM; back: a core cycle, rounded up to command cycles
		// GPGPU-Sim 980's cycles at 1753 MHz, in nanoseconds, at 1377 MHz, rounded up.
		RCD: 13, RAS: 30, RP: 13, RC: 41, CL: 13, WL: 5, RRD: 7, CCD: 2, CCDL: 4, WR: 13, CDLR: 6, RTP: 3,
		REFI: 2616, RFC: 90, // 1.9 us, 65 ns: see the file of the GPU
	}
}

// GTX480 returns the memory system of a Fermi GTX 480 with the settings of GPGPU-Sim 480. GPGPU-Sim's latencies
// include 4 cycles not counted here: 1 to the access unit, 2 for writeback and 1 by which other results are
// announced early.
func GTX480() Spec {
	s := GTX980()
	s.Coalescer.Segment = 128 // GPGPU-Sim 480: whole lines
	s.Coalescer.Rate = 1      // GPGPU-Sim 480: one bank
	s.Shared.Latency = 22     // GPGPU-Sim 480: 26
	s.Constant.Latency = 22   // as shared memory
	// GPGPU-Sim 480: a stage of 3 cycles, and half of the L1's latency, because a miss waits for this too
	s.NoC.Latency = 21
	s.L1 = l1.Spec{
		Geometry: cache.Geometry{
			// GPGPU-Sim 480; its hash of the set index is an exclusive or
			Tags: tagarray.Spec{Sets: 32, Ways: 4, Line: 128, Sector: 128, Replace: "lru", Index: "xor"},
			MSHR: mshr.Spec{Entries: 64, Merges: 8}, // GPGPU-Sim 480
		},
		// GPGPU-Sim 480: 35; one bank a line wide
		Latency: 30, Port: 128, Banks: 1, BankBytes: 32, BankIndex: "linear", TagBanks: 1, TagQueue: 4,
		Queue: 8, MissQueue: 8,
		Allocate: "on_miss",
		// CUDA C Programming Guide, compute capability 2.x; GPGPU-Sim 480
		Write: "evict", LocalWrite: "back", CacheGlobal: true,
	}
	s.Texture = s.L1
	// GPGPU-Sim 480: 12 KB
	s.Texture.Tags = tagarray.Spec{Sets: 4, Ways: 24, Line: 128, Sector: 128, Replace: "lru", Index: "linear"}
	s.Texture.CacheGlobal = false
	s.Map = addrmap.Spec{Block: 256, Policy: "linear"} // GPGPU-Sim 480
	s.L2 = l2.Spec{
		Slices: 12, // GPGPU-Sim 480: 768 KB
		Geometry: cache.Geometry{
			// GPGPU-Sim 480
			Tags: tagarray.Spec{Sets: 64, Ways: 8, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
			MSHR: mshr.Spec{Entries: 256, Merges: 4}, // GPGPU-Sim 480
		},
		Latency: 120, Port: 32, Queue: 64, MissQueue: 4, // GPGPU-Sim 480
		AtomicRate: 1, AtomicLatency: 4, AtomicQueue: 8, // rationale: one per cycle and slice, the unit of the ROP
	}
	s.DRAM = dram.Spec{
		// GPGPU-Sim 480: 177.4 GB/s.
		Channels: 6, Clock: 924, Bus: 8, Rate: 4, Burst: 8, Banks: 16, Groups: 4,
		BySector: true, // GPGPU-Sim 480: its L2 asks for single sectors
		// rationale: two chips with pages of 2 KB; a line per bank; strides spread over banks
		Row: 4096, Stripe: 128, BankHash: true,
		Queue: 64, Return: 116, Policy: "frfcfs", // GPGPU-Sim 480
		Starve: 1000, High: 32, Low: 8, // as GTX980
		Latency: 100, Back: 2, // GPGPU-Sim 480; back: as GTX 980
		// GPGPU-Sim 480
		RCD: 12, RAS: 28, RP: 12, RC: 40, CL: 12, WL: 4, RRD: 6, CCD: 2, CCDL: 3, WR: 12, CDLR: 5, RTP: 2,
		REFI: 3603, RFC: 61, // 3.9 us, 65 ns: see the file of the GPU
	}
	return s
}

// Gebhart returns the memory of Gebhart et al.: fixed latencies, limited bandwidth,
// no cache for global memory.
func Gebhart() Spec {
	s := GTX480()
	// Gebhart: 20 cycles, 32 bytes per cycle
	s.Shared = shared.Spec{Banks: 8, Word: 4, Latency: 20, Atomic: 2, Queue: 2}
	s.Constant.Latency = 20 // as shared memory
	// CUDA C Programming Guide, compute capability 2.x: 128 B segments
	s.Coalescer.Around = 128
	s.L1.CacheGlobal, s.L1.LocalWrite = false, "through"                 // Gebhart: DRAM at 400 cycles is all there is
	s.L1.MSHR.Entries = 128                                              // rationale: 128 where a paper is silent
	s.L1.Latency, s.NoC.Latency, s.DRAM.BySector = 35, 40, false         // not used
	s.Texture.Perfect, s.Texture.Latency, s.Texture.Port = true, 400, 16 // Gebhart: 400 cycles, 4 lanes per cycle
	s.Backing = "fixed"
	// Gebhart: 400 cycles, 6 of them between the load/store unit and the port
	s.Fixed = simple.Spec{Latency: 394, Bandwidth: 32, Lane: 8, Buffer: 8}
	return s
}
