package main

import (
	"fmt"
	"io"
	"math/rand/v2"

	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// A way prepares a kernel for execution by the emulator.
type way struct {
	name    string
	compile func(*host.Launch) (*ir.Kernel, error)
}

// standard are the simulator's compiler options for the GPU gtx980.
var standard = compiler.Options{Ahead: true, SM: compiler.Room{Registers: 65536, Warps: 64, CTAs: 32, Unit: 4}}

// ways returns the ways to run the kernel of a seed: the simulator's own, and one other, either uncompiled or with
// other compiler settings.
func ways(seed uint64) []way {
	r := rand.New(rand.NewPCG(seed, 3))
	list := []way{{"compiled", compiled(standard)}}
	switch r.IntN(4) {
	case 0:
		list = append(list, way{"as read", asRead})
	case 1:
		n := 20 + r.IntN(40)
		list = append(list, way{fmt.Sprintf("compiled for %d registers", n), compiled(compiler.Options{Registers: n})})
	case 2:
		off := compiler.Step(r.Uint32()) & compiler.AllSteps()
		opt := compiler.Options{Off: off, Policy: alloc.Rotate, FirstUse: true}
		list = append(list, way{fmt.Sprintf("compiled without %s", off), compiled(opt)})
	default:
		list = append(list, way{"compiled within the registers that it needs", compiled(compiler.Options{})})
	}
	return list
}

func find(l *host.Launch) (*ir.Kernel, error) {
	for _, k := range l.Module.Kernels {
		if k.Name == l.Kernel {
			return k, nil
		}
	}
	return nil, fmt.Errorf("kernel %s is not in the module, or was refused", l.Kernel)
}

func asRead(l *host.Launch) (*ir.Kernel, error) {
	k, err := find(l)
	if err == nil {
		cfg.Build(k.Insts).SetReconv(k.Insts)
	}
	return k, err
}

func compiled(opt compiler.Options) func(*host.Launch) (*ir.Kernel, error) {
	return func(l *host.Launch) (*ir.Kernel, error) {
		k, err := find(l)
		opt := opt
		opt.Threads = l.Threads()
		if err != nil {
			return nil, err
		}
		return compiler.Compile(k, opt)
	}
}

// emulate runs a job, and thereby changes the job's memory. An error is a refusal or a panic of the emulator.
func emulate(j *job, w way) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r := &emu.Runner{Mem: j.mem, Compile: w.compile, Out: io.Discard}
	return r.Launch(j.launch)
}
