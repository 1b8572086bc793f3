package l2

import (
	"kumiko/components/spec"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Spec is the geometry, policy and timing of the L2.
type Spec struct {
	Slices         int `toml:"slices" unit:"slices" range:"1 to 64" doc:"slices of the L2 on the chip, a multiple of the DRAM channels"`
	cache.Geometry     // of each slice
	Latency        int `toml:"latency" unit:"cycles" range:"0 to 65536" doc:"fixed delay of a packet in front of the tags"`
	Port           int `toml:"port_bytes" unit:"bytes per cycle" range:"1 to 1073741824" doc:"width of the data port of a slice. A packet occupies it for its sectors"`
	Queue          int `toml:"queue" unit:"packets" range:"1 to 65536" doc:"packets that may wait in front of a slice, beyond those within its fixed delay"`
	MissQueue      int `toml:"miss_queue" unit:"requests" doc:"reads and write-backs that may wait for the DRAM channel"`
	AtomicRate     int `toml:"atomic_lanes" unit:"lanes per cycle" range:"1 to 1024" doc:"atomics on different words of a line that are served per cycle. Atomics on one word take turns"`
	AtomicLatency  int `toml:"atomic_latency" unit:"cycles" range:"0 to 65536" doc:"delay of the atomic unit, beyond the turns of the lanes"`
	AtomicQueue    int `toml:"atomic_queue" unit:"packets" range:"1 to 65536" doc:"packets that may be in the atomic unit"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	if err := s.Geometry.Check(); err != nil {
		return err
	}
	switch {
	case s.Tags.Sector != req.SectorBytes:
		return spec.Errorf("tags.sector_bytes", s.Tags.Sector, "%d", req.SectorBytes)
	case s.MissQueue < 2 || s.MissQueue > spec.MostQueue:
		return spec.Errorf("miss_queue", s.MissQueue, "2 (a miss may come with a write-back) to %d", spec.MostQueue)
	}
	return spec.Ranges(s)
}

// Bytes returns the bytes of data in all slices.
func (s *Spec) Bytes() int { return s.Slices * s.Tags.Bytes() }
