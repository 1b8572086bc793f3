package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"kumiko/kernel/cubin"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// built is what a unit was compiled to: its PTX, and the program for the host or the machine code.
type built struct {
	m       *ir.Module
	program string
	files   []*cubin.File // for each architecture of the flavour
}

// batch compiles kernels together, runs them on both sides, and returns all differences and failures. If the
// kernels cannot be compiled together, each half is tried by itself: most often it is one kernel that cannot.
func (t *toolchain) batch(list []*kernel, f flavour, sum *tally) ([]*finding, error) {
	u, err := t.compile(list, f, sum)
	if errors.Is(err, errCompile) && len(list) > 1 {
		var all []*finding
		half := len(list) / 2
		for _, part := range [][]*kernel{list[:half], list[half:]} {
			found, err := t.batch(part, f, sum)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
		return all, nil
	}
	sum.kernels += len(list)
	if errors.Is(err, errCompile) {
		sum.notCompiled++
		return []*finding{{kernel: list[0], flavour: f, err: err, kind: notCompiled}}, nil
	}
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	defer func() { sum.emulator += time.Since(begin) }()
	if len(f.codes) > 0 {
		return runCodes(list, u, f, sum)
	}
	return run(list, u, f, sum)
}

// compile compiles kernels for both sides. An error of clang or of ptxas is an errCompile.
func (t *toolchain) compile(list []*kernel, f flavour, sum *tally) (*built, error) {
	source, err := t.writeSource(unit(list))
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	text, err := t.toPTX(source, f)
	sum.device += time.Since(begin)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCompile, err)
	}
	u := &built{}
	if u.m, err = ptx.Parse(filepath.Join(t.dir, "unit.ptx"), text); err != nil {
		return nil, fmt.Errorf("what clang made of seeds %d to %d: %w", list[0].seed, list[len(list)-1].seed, err)
	}
	begin = time.Now()
	if len(f.codes) > 0 {
		u.files, err = t.toCode(text, f)
	} else {
		u.program, err = t.toHost(source, f)
	}
	sum.host += time.Since(begin)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCompile, err)
	}
	return u, nil
}

// run runs kernels of a module on both sides and compares the results.
func run(list []*kernel, u *built, f flavour, sum *tally) ([]*finding, error) {
	var found []*finding
	jobs := make([]*job, len(list))
	for i, k := range list {
		j, err := newJob(k, u.m)
		if err != nil {
			return nil, err
		}
		jobs[i] = j
	}
	results := make([]result, len(list))
	for at := 0; at < len(list); {
		got, err := onHost(u.program, jobs[at:])
		copy(results[at:], got)
		at += len(got)
		if err != nil {
			sum.failed++
			found = append(found, &finding{kernel: list[at], flavour: f, err: err, kind: failed})
			at++
		}
	}
	for i, k := range list {
		if results[i] == nil {
			continue
		}
		if x := check(k, jobs[i], results[i], sum); x != nil {
			x.flavour = f
			found = append(found, x)
		}
	}
	return found, nil
}

// check runs a kernel on the emulator in each of its ways.
func check(k *kernel, j *job, want result, sum *tally) *finding {
	for i, w := range ways(k.seed) {
		if i > 0 {
			var err error
			if j, err = newJob(k, j.launch.Module); err != nil {
				return &finding{kernel: k, err: err, kind: failed}
			}
		}
		sum.runs++
		if err := emulate(j, w); err != nil {
			sum.failed++
			return &finding{kernel: k, err: fmt.Errorf("%s: %w", w.name, err), kind: failed}
		}
		if d := compare(j, want, j.memory()); d != nil {
			sum.differ++
			d.how = w.name
			return &finding{kernel: k, diff: d, kind: differs}
		}
	}
	return nil
}
