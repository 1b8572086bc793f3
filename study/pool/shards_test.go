package pool

import (
	"slices"
	"sync"
	"testing"

	"kumiko/study"
)

// Shards run side by side, each by a pool of its own, as by processes.
func TestShardsLeaveTheRecordsOfTheStudyInOneFolder(t *testing.T) {
	s, err := study.Parse("t.toml", []byte(gridText))
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
			if _, err := p.Run(t.Context(), (&study.Shard{I: i, N: 3}).Of(points)); err != nil {
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
