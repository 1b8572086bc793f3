package golden

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
)

// points lists the points of a program at a size: all, or one per GPU, chosen so that over all programs each slice
// is combined with each GPU. Under testing.Short it lists every fourth of them.
func points(app *benchmarks.App, number int, size benchmarks.Size, all bool) []Point {
	var out []Point
	for g, gpu := range config.Names() {
		if *ofGPU != "" && gpu != *ofGPU || testing.Short() && (number+g)%4 != 0 {
			continue
		}
		for i, n := range Slices {
			if all || (number+g)%len(Slices) == i {
				out = append(out, Point{app, gpu, n, size})
			}
		}
	}
	return out
}

func TestEveryOperandIsTheNewestOnSlicesOfEveryGPU(t *testing.T) {
	sizes := []benchmarks.Size{benchmarks.Test}
	if *whole {
		sizes = append(sizes, benchmarks.Small)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	room, seen := make(chan struct{}, runtime.NumCPU()), 0
	for number, app := range benchmarks.List() {
		if !strings.HasPrefix(app.Name, *ofName) {
			continue
		}
		for _, size := range sizes {
			all.Go(func() {
				room <- struct{}{}
				defer func() { <-room }()
				list := points(app, number, size, *whole)
				wrong := WrongOperands(list)
				mu.Lock()
				defer mu.Unlock()
				seen += len(list)
				for _, line := range wrong {
					t.Error(line)
				}
			})
		}
	}
	all.Wait()
	if seen == 0 || *ofGPU != "" && !slices.Contains(config.Names(), *ofGPU) {
		t.Errorf("%d points were checked", seen)
	}
}
