package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// mostTrials bounds the number of compilations in the reduction of a kernel.
const mostTrials = 250

// keep reduces the kernel of a finding as far as possible, and writes the files kernel.cu, kernel.ptx and what.txt.
func (t *toolchain) keep(x *finding, out string) error {
	dir := filepath.Join(out, fmt.Sprint(x.kernel.seed))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	whole := unit([]*kernel{x.kernel})
	what := fmt.Sprintf("%s\ngrid %v, block %v, dynamic shared memory %d bytes\ndevice: %v\nhost: %v\n", x,
		x.kernel.grid,
		x.kernel.block, x.kernel.dynShared, x.device, x.host)
	if x.kind != notCompiled {
		last := t.reduce(x)
		what += fmt.Sprintf("reduced: %s\n", last)
		if len(x.codes) == 0 && !t.sameReversed(x) {
			what += "the host's own results depend on the order of threads\n"
		}
	}
	source, err := t.writeSource(unit([]*kernel{x.kernel}))
	if err != nil {
		return err
	}
	text, _ := t.toPTX(source, x.flavour)
	for name, s := range map[string]string{"whole.cu": whole, "kernel.cu": unit([]*kernel{x.kernel}),
		"kernel.ptx": string(text), "what.txt": what} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// reduce drops the parts of the kernel without influence on the difference: first blocks, then
// the contents of the rest. It returns the last finding.
func (t *toolchain) reduce(x *finding) *finding {
	last, trials := x, 0
	wrong := func() bool {
		trials++
		if trials > mostTrials {
			return false
		}
		found, err := t.batch([]*kernel{x.kernel}, x.flavour, &tally{})
		if err != nil || len(found) == 0 || found[0].kind != x.kind {
			return false
		}
		last = found[0]
		return true
	}
	level := [][]*node{x.kernel.body, x.kernel.ends, x.kernel.vars}
	for len(level) > 0 {
		var next [][]*node
		for _, list := range level {
			drop(list, wrong)
			for _, n := range list {
				if !n.dropped && len(n.kids) > 0 {
					next = append(next, n.kids)
				}
			}
		}
		level = next
	}
	return last
}

// drop tries to drop halves of a list, then quarters, and so on down to single elements.
func drop(list []*node, wrong func() bool) {
	for size := max(1, len(list)/2); ; size /= 2 {
		for at := 0; at < len(list); at += size {
			part := list[at:min(at+size, len(list))]
			was := make([]bool, len(part))
			for i, n := range part {
				was[i], n.dropped = n.dropped, true
			}
			if !wrong() {
				for i, n := range part {
					n.dropped = was[i]
				}
			}
		}
		if size <= 1 {
			return
		}
	}
}

// sameReversed reports whether the host's results stay the same with its threads in the opposite order, and without
// optimisation. If they do not, the kernel or the host's runtime is wrong.
func (t *toolchain) sameReversed(x *finding) bool {
	list := []*kernel{x.kernel}
	u, err := t.compile(list, x.flavour, &tally{})
	if err != nil {
		return false
	}
	j, err := newJob(x.kernel, u.m)
	if err != nil {
		return false
	}
	one, err := onHost(u.program, []*job{j})
	if err != nil {
		return false
	}
	f := x.flavour
	f.host = []string{"-O0"}
	if u, err = t.compile(list, f, &tally{}); err != nil {
		return false
	}
	other, err := onHost(u.program, []*job{j}, "-r")
	return err == nil && compare(j, one[0], other[0]) == nil
}
