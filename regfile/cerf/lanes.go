package cerf

import "kumiko/memsys/req"

// wholeSectors returns the sectors with all of their lanes.
func wholeSectors(lanes uint32) uint8 { return req.AllSectors &^ req.SectorsOf(^lanes) }
