package gpus

import (
	"fmt"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/sm/occupancy"
)

// kernelOf is the kernel that a launch names.
func kernelOf(l *host.Launch) (*ir.Kernel, error) {
	k := l.Module.Kernel(l.Kernel)
	if k == nil {
		return nil, fmt.Errorf("%s: no kernel %q", l.Module.File, l.Kernel)
	}
	return k, nil
}

// needsOf is what a CTA of a launch needs, of a kernel that has been compiled.
func needsOf(l *host.Launch, k *ir.Kernel) occupancy.CTA {
	return occupancy.CTA{Threads: l.Threads(), Registers: k.Footprint, SharedBytes: k.SharedBytes + l.DynShared}
}

// ofKernel names the kernel in an error.
func ofKernel(k *ir.Kernel, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kernel %s: %w", k.Name, err)
}
