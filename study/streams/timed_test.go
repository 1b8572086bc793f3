package streams

import (
	"fmt"
	"math"
	"strings"
)

// Check compares a count of a timed run with the same count of the stream.
type Check struct {
	Name          string
	Stream, Timed float64
}

// Off is by how much the timed run's share differs, in percentage points.
func (c *Check) Off() float64 { return 100 * math.Abs(c.Timed-c.Stream) }

// String is one line.
func (c *Check) String() string {
	return fmt.Sprintf("%s: stream %.2f %%, timed %.2f %%", c.Name, 100*c.Stream, 100*c.Timed)
}

// Against compares the cache at a path with the statistics of a timed run of the same program with that cache:
// the shares of operands not reading the main file and of results not writing it. Over time there are
// differences. An operand may be captured from a result bus, and so avoids a read of the main file as a hit
// does. An entry made obsolete by the result of a long-latency operation stays until the result arrives, and a
// flush writes it back. A warp is suspended only when the scheduler detects the need.
func (s *Summary) Against(path string, stats map[string]uint64) ([]Check, error) {
	c, err := s.Cache(path)
	if err != nil {
		return nil, err
	}
	operands, results := stats["regfile.collector.operands"], uint64(0)
	for _, name := range []string{"writes", "bypassed", "bypassed_far", "homeless"} {
		results += stats["regfile.rfc."+name]
	}
	if operands == 0 || results == 0 {
		return nil, fmt.Errorf("the run has %d operands and %d results at a register file cache, expected some of both",
			operands, results)
	}
	written := uint64(0)
	for name, n := range stats {
		if strings.HasPrefix(name, "regfile.bank.writes.") {
			written += n
		}
	}
	read := stats["regfile.bank.reads.operand"]
	return []Check{
		{"operands", 1, float64(operands) / float64(s.Operands.Reads)},
		{"results", 1, float64(results) / float64(s.Operands.Writes)},
		{"reads avoided", c.ReadsAvoided, avoided(read, operands)},
		{"writes avoided", c.WritesAvoided, avoided(written, results)},
	}, nil
}
