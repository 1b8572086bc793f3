// Package fingerprint computes the fingerprint of a host program's launches: every kernel's code, every launch's
// geometry, footprint and arguments, and the memory at the first launch.
package fingerprint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// Sum is the fingerprint of the launches so far.
type Sum struct {
	mem     *mem.Memory
	sum     hash.Hash
	started bool
	kernels map[*ir.Kernel]bool
	modules map[*ir.Module]bool
}

// New begins a fingerprint of launches on a memory.
func New(m *mem.Memory) *Sum {
	return &Sum{mem: m, sum: sha256.New(), kernels: map[*ir.Kernel]bool{}, modules: map[*ir.Module]bool{}}
}

// Launch adds a launch, before its execution.
func (s *Sum) Launch(l *host.Launch) {
	if !s.started {
		s.started = true
		for _, r := range s.mem.Regions() {
			s.add(r.Addr)
			s.sum.Write(r.Data)
		}
	}
	if !s.modules[l.Module] {
		s.modules[l.Module] = true
		s.add(l.Module.Vars)
		s.sum.Write(s.mem.ConstBank(l.Module))
		if src := l.Module.Source; src != nil && src.Arch != 0 { // its kernels have no instructions
			s.sum.Write(src.Text)
		}
	}
	if k := l.Module.Kernel(l.Kernel); k != nil && !s.kernels[k] {
		s.kernels[k] = true
		s.add(k.Insts)
		s.add(k.Params)
	}
	s.add([]any{l.Kernel, l.Grid, l.Block, l.DynShared, l.Registers, l.Args})
	if l.Cluster != [3]int{} {
		s.add(l.Cluster)
	}
	if l.Cooperative {
		s.add("cooperative")
	}
	if l.Queue != nil {
		s.add(l.Queue)
	}
}

// Bytes adds another representation of a launch, such as the digest of a trace.
func (s *Sum) Bytes(b []byte) { s.sum.Write(b) }

// String returns the fingerprint in hexadecimal.
func (s *Sum) String() string { return hex.EncodeToString(s.sum.Sum(nil)) }

func (s *Sum) add(v any) {
	if err := json.NewEncoder(s.sum).Encode(v); err != nil {
		panic(err) // plain data, to memory
	}
}

// errFirst ends a program at its first launch.
var errFirst = errors.New("the first launch")

// first is a runner that takes the fingerprint of a program's first launch, and ends the program there. Of several
// programs side by side it takes the first launch of each.
type first struct{ sum *Sum }

// Launch implements host.Runner.
func (f *first) Launch(l *host.Launch) error {
	f.sum.Launch(l)
	return errFirst
}

// First returns the fingerprint of a program up to its first launch, without executing the launch: the code, the
// arguments and the initial memory. wrap, if not nil, stands between the program and its launches.
func First(p host.Program, wrap func(host.Runner) host.Runner) (string, error) {
	var m mem.Memory
	f := &first{New(&m)}
	var r host.Runner = f
	if wrap != nil {
		r = wrap(f)
	}
	err := p.Run(&host.Device{Mem: &m, Runner: r})
	if !f.sum.started {
		if err == nil {
			err = errors.New("it launches nothing")
		}
		return "", err
	}
	return f.sum.String(), nil
}
