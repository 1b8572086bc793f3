package cerf

import "kumiko/memsys/req"

// wholeSectors are those all of whose lanes are there.
func wholeSectors(lanes uint32) uint8 { return req.AllSectors &^ req.SectorsOf(^lanes) }
