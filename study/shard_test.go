package study

import (
	"slices"
	"sync"
	"testing"
)

func TestShardsHaveEachPointOnce(t *testing.T) {
	s, err := Parse("t.toml", []byte(gridText))
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

// Shards run side by side, each by a pool of its own, as by processes.
func TestShardsLeaveTheRecordsOfTheStudyInOneFolder(t *testing.T) {
	s, err := Parse("t.toml", []byte(gridText))
	if err != nil {
		t.Fatal(err)
	}
	points, dir := s.Points(0), t.TempDir()
	var mu sync.Mutex
	var done, checked []string
	var all sync.WaitGroup
	for i := range 3 {
		p := pool(t, s, dir)
		p.Workers, p.CheckFirst, p.All = 1, true, points
		p.Report = func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			done = append(done, e.Record.Point.String())
			if e.Record.Checked {
				checked = append(checked, e.Record.Point.Variant)
			}
		}
		all.Go(func() {
			if _, err := p.Run(t.Context(), (&Shard{i, 3}).Of(points)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	slices.Sort(done)
	if n := len(slices.Compact(slices.Clone(done))); len(done) != len(points) || n != len(points) {
		t.Errorf("%d points were executed, %d of them different, want %d: %q", len(done), n, len(points), done)
	}
	c, err := s.Census(pool(t, s, dir).Store, points, "test")
	if err != nil || c.Done != len(points) || len(c.Missing) != 0 {
		t.Errorf("census %+v, %v", c, err)
	}
	slices.Sort(checked)
	if want := []string{"banks-4", "banks-8", "base", "fermi"}; !slices.Equal(checked, want) {
		t.Errorf("checked are points of %q, want one of each variant", checked)
	}
}
