package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"

	"kumiko/kernel/cubin"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// drawCodes draws the two architectures of the machine code of a batch. The kernels are for the lower one, so that both
// have their instructions. They have no line numbers, because with them and from clang -O0 ptxas makes code for a
// debugger.
func drawCodes(r *rand.Rand, f *flavour) {
	f.device = slices.DeleteFunc(f.device, func(s string) bool { return s == "-gline-tables-only" })
	other := pick(r, archs...)
	for other.arch == f.arch {
		other = pick(r, archs...)
	}
	f.codes = []int{f.arch, other.arch}
	if other.arch < f.arch {
		f.target(other.arch, other.ptx)
	}
}

// notPattern finds 64-bit complements. If one goes through a mask into a comparison with 0, ptxas 11.8 loses it. An
// exclusive or with all ones has the same value, and ptxas keeps it.
var notPattern = regexp.MustCompile(`not\.b64\s+([^;]*);`)

// toCode assembles PTX for the architectures of a flavour.
func (t *toolchain) toCode(text []byte, f flavour) ([]*cubin.File, error) {
	files := make([]*cubin.File, len(f.codes))
	text = notPattern.ReplaceAll(text, []byte("xor.b64 ${1}, -1;"))
	for i, arch := range f.codes {
		out, err := t.vendor.Assemble(arch, text, 0)
		if err != nil {
			return nil, err
		}
		if files[i], err = cubin.NewFile(fmt.Sprintf("sm_%d", arch), out.Listing, out.Spilled); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// runCodes runs kernels as read and as machine code, and compares the results.
func runCodes(list []*kernel, u *built, f flavour, sum *tally) ([]*finding, error) {
	var found []*finding
	for _, k := range list {
		j, err := newJob(k, u.m)
		if err != nil {
			return nil, err
		}
		if err := emulate(j, way{"as read", asRead}); err != nil {
			sum.failed++
			found = append(found, &finding{kernel: k, flavour: f, err: err, kind: failed})
			continue
		}
		for i, arch := range f.codes {
			x, err := checkCode(k, u, i, j.memory(), sum)
			if err != nil {
				return nil, err
			}
			if x == nil {
				continue
			}
			if x.diff != nil {
				x.diff.how = fmt.Sprintf("code for sm_%d", arch)
			} else {
				x.err = fmt.Errorf("code for sm_%d: %w", arch, x.err)
			}
			x.flavour = f
			x.codes = []int{arch}
			found = append(found, x)
		}
	}
	return found, nil
}

// checkCode runs a kernel as the machine code of a file. want is what its PTX leaves.
func checkCode(k *kernel, u *built, file int, want result, sum *tally) (*finding, error) {
	code, err := u.files[file].Kernel(u.m, k.name)
	if err != nil {
		sum.refused++
		return &finding{kernel: k, err: err, kind: refused}, nil
	}
	j, err := newJob(k, u.m)
	if err != nil {
		return nil, err
	}
	sum.runs++
	if err := emulate(j, way{"", func(*host.Launch) (*ir.Kernel, error) { return code.Kernel, nil }}); err != nil {
		sum.failed++
		return &finding{kernel: k, err: err, kind: failed}, nil
	}
	if d := compare(j, want, j.memory()); d != nil {
		sum.differ++
		return &finding{kernel: k, diff: d, kind: differs}, nil
	}
	return nil, nil
}
