package golden

import (
	"fmt"
	"io"

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
