package study

import (
	"testing"
)

func TestShardsHaveEachPointOnce(t *testing.T) {
	s, err := Parse("t.toml", []byte(head+plainVariant))
	if err != nil {
		t.Fatal(err)
	}
	points := s.Points(1)
	for _, n := range []int{1, 3, 7, len(points), len(points) + 5} {
		seen := map[string]int{}
		for i := range n {
			for _, p := range (&Shard{i, n}).Of(points) {
				seen[p.String()]++
			}
		}
		if len(seen) != len(points) {
			t.Errorf("%d shards have %d points of %d", n, len(seen), len(points))
		}
		for p, k := range seen {
			if k != 1 {
				t.Errorf("%d shards have %s %d times", n, p, k)
			}
		}
	}
}

func TestAShardIsWrittenAsIndexAndNumber(t *testing.T) {
	for text, want := range map[string]Shard{"0/1": {0, 1}, "2/3": {2, 3}} {
		if s, err := ParseShard(text); err != nil || *s != want || s.String() != text {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "1", "3/3", "-1/3", "0/0", "a/3", "1/b", "1/3/2"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q: %v, want an error", text, s)
		}
	}
}
