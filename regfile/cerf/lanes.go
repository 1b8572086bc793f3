package cerf

import (
	"math/bits"

	"kumiko/memsys/req"
)

// laneBytes is what a lane has of a register.
const laneBytes = 4

// sectorLanes are the lanes of a register whose bytes make a sector.
const sectorLanes = req.SectorBytes / laneBytes

func ones(lanes uint32) uint8 { return uint8(bits.OnesCount32(lanes)) }

// sectors that have one of the lanes.
func sectors(lanes uint32) (m uint8) {
	for s := range req.Sectors {
		if lanes>>(s*sectorLanes)&(1<<sectorLanes-1) != 0 {
			m |= 1 << s
		}
	}
	return m
}

// wholeSectors are those all of whose lanes are there.
func wholeSectors(lanes uint32) uint8 { return req.AllSectors &^ sectors(^lanes) }

// lanesOf are the lanes of a register that take the place of sectors.
func lanesOf(sectors uint8) (m uint32) {
	for s := range req.Sectors {
		if sectors>>s&1 != 0 {
			m |= (1<<sectorLanes - 1) << (s * sectorLanes)
		}
	}
	return m
}
