package req

import "math/bits"

// A warp register fills a line: a lane has four bytes of it.
const (
	LaneBytes   = 4
	sectorLanes = SectorBytes / LaneBytes
)

// SectorsOf returns the sectors of a register holding at least one of the lanes.
func SectorsOf(lanes uint32) (m uint8) {
	for s := range Sectors {
		if lanes>>(s*sectorLanes)&(1<<sectorLanes-1) != 0 {
			m |= 1 << s
		}
	}
	return m
}

// LanesOf returns the lanes of a register held by sectors.
func LanesOf(sectors uint8) (m uint32) {
	for s := range Sectors {
		if sectors>>s&1 != 0 {
			m |= (1<<sectorLanes - 1) << (s * sectorLanes)
		}
	}
	return m
}

// BytesOf returns the bytes of some lanes of a register.
func BytesOf(lanes uint32) uint8 { return uint8(LaneBytes * bits.OnesCount32(lanes)) }
