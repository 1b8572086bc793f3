package golden

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
)

// Slices are the slice sizes, in SMs, at which operands are checked.
var Slices = []int{1, 2, 3, 4, 6}

// Point is a built-in program on a built-in GPU with the GPU's own register file.
type Point struct {
	App  *benchmarks.App
	GPU  string
	SMs  int // of the slice
	Size benchmarks.Size
}

// String returns the point as the arguments of kumiko run.
func (p Point) String() string {
	return fmt.Sprintf("run %s --size %s --gpu %s --set slice.sms=%d --check", p.App.Name, p.Size, p.GPU, p.SMs)
}

// WrongOperands plays a program at points of one size with the operand check on. It returns a line for each point
// with wrong operands or without a result. The program is executed once for each different code of the GPUs.
func WrongOperands(points []Point) []string {
	var out []string
	if len(points) == 0 {
		return nil
	}
	captures := newCaptures(points[0].App, points[0].Size)
	for _, p := range points {
		cfg, err := config.Load(config.Request{GPU: p.GPU, Set: []string{fmt.Sprintf("slice.sms=%d", p.SMs)}})
		if err != nil {
			out = append(out, fmt.Sprintf("%s: %v", p, err))
			continue
		}
		c, err := captures.get(cfg)
		if err != nil {
			out = append(out, fmt.Sprintf("%s: %v", p, err))
			continue
		}
		gpu, err := gpus.New(cfg, gpus.Options{Printf: io.Discard, Check: true})
		if err == nil {
			err = gpu.Play(c)
		}
		if err != nil {
			out = append(out, fmt.Sprintf("%s: %v", p, err))
		}
	}
	return out
}

// points lists the points of a program at a size: all, or one per GPU, chosen so that over all programs each slice
// is combined with each GPU. Under testing.Short it lists every twelfth of them.
func points(app *benchmarks.App, number int, size benchmarks.Size, all bool) []Point {
	var out []Point
	for g, gpu := range config.Names() {
		if *ofGPU != "" && gpu != *ofGPU || testing.Short() && (number+g)%12 != 0 {
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
