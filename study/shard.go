package study

import (
	"fmt"
	"strconv"
	"strings"

	"kumiko/study/record"
)

// Shard is a part of a list of points: those with an index of I modulo N.
type Shard struct{ I, N int }

// ParseShard reads I/N, with 0 <= I < N.
func ParseShard(text string) (*Shard, error) {
	i, n, _ := strings.Cut(text, "/")
	var s Shard
	var bad [2]error
	s.I, bad[0] = strconv.Atoi(i)
	s.N, bad[1] = strconv.Atoi(n)
	if bad[0] != nil || bad[1] != nil || s.I < 0 || s.I >= s.N {
		return nil, fmt.Errorf("found %q, expected I/N, such as 0/4 for the first of four shards, with I from 0 to "+
			"N - 1", text)
	}
	return &s, nil
}

// String is the inverse of ParseShard.
func (s *Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// Of returns the points of the shard. The shards 0/N to N-1/N have each point once.
func (s *Shard) Of(points []record.Point) []record.Point {
	out := []record.Point{}
	for i := s.I; i < len(points); i += s.N {
		out = append(out, points[i])
	}
	return out
}
