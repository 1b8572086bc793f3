package suite

import (
	"kumiko/benchmarks/measured"
	"kumiko/study/streams"
)

// measuredValues picks what the table of measures has of values: read soon is at
// most three instructions after the write (Gebhart et al., section 2.2, figure 2).
func measuredValues(v *streams.Values) measured.Values {
	return measured.Values{Written: v.Written, Reads: v.Reads, Never: v.Never, Once: v.Once,
		Soon: v.After[0] + v.After[1] + v.After[2], MoreThan2: v.More}
}
