package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"kumiko/gpus/config"
	"kumiko/gpus/probe"
	"kumiko/kernel/cuasm"
)

// looped is the number of instructions of the loop that registers.py fills with a sequence.
const looped = 512

// sequenceWarps are the warps of the columns of cycles.
var sequenceWarps = []int{1, 8, 16}

// Registers simulates the sequences of arithmetic whose registers and control words were written into machine code
// (registers.py). only selects rows by the kind of their sequence. A chip without such rows has none.
func Registers(dir fs.FS, gpu string, only func(kind string) bool) ([]Outcome, error) {
	t, err := read(dir, RegistersFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Outcome
	for i, f := range t.rows {
		if !only(f[0]) {
			continue
		}
		text := strings.ReplaceAll(f[len(f)-1], "; ", ";\n")
		list, err := cuasm.Read(fmt.Sprintf("%s, row %d", RegistersFile, i+1), []byte(text))
		if err != nil {
			return nil, err
		}
		period := float64(len(list[0].Insts))
		for k, warps := range sequenceWarps {
			cycles, err := t.number(i, 1+k)
			if err != nil {
				return nil, err
			}
			o := Outcome{Class: "registers", Name: fmt.Sprintf("%s %d, %d warps", f[0], i+1, warps),
				Measured: cycles * period / looped, Unit: "cycles of a sequence", Detail: f[len(f)-1]}
			o.Simulated, o.Refused = simulateSequence(text, gpu, warps)
			out = append(out, o)
		}
	}
	return out, nil
}

// simulateSequence returns the cycles of a sequence of each of some warps, in a loop.
func simulateSequence(text, gpu string, warps int) (float64, error) {
	list, err := cuasm.Read(RegistersFile, []byte(text))
	if err != nil {
		return 0, err
	}
	code := list[0].Insts
	cfg, err := config.Load(config.Request{GPU: gpu, Set: append(slices.Clone(probe.Settings(code)), probe.Controlled)})
	if err != nil {
		return 0, err
	}
	r, err := probe.Run(cfg, code, strings.Split(text, "\n"), probe.Spec{Warps: warps, Repeat: passes,
		File: RegistersFile})
	if err != nil {
		return 0, err
	}
	return r.Cycles * math.Ceil(float64(warps)/float64(cfg.SM.Schedulers)), nil
}
