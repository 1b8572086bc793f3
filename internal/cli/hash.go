package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// hashing is a runner that takes the fingerprint of what it launches: every
// kernel's code, every launch's geometry and arguments, and the memory as it was
// at the first launch.
type hashing struct {
	host.Runner
	mem    *mem.Memory
	sum    hash.Hash
	seen   map[*ir.Kernel]bool
	before func(kernel string)
}

func newHashing(r host.Runner, m *mem.Memory, before func(string)) *hashing {
	return &hashing{Runner: r, mem: m, sum: sha256.New(), seen: map[*ir.Kernel]bool{}, before: before}
}

// Launch implements host.Runner.
func (h *hashing) Launch(l *host.Launch) error {
	h.before(l.Kernel)
	if len(h.seen) == 0 {
		for _, r := range h.mem.Regions() {
			h.add(r.Addr)
			h.sum.Write(r.Data)
		}
	}
	if k := l.Module.Kernel(l.Kernel); k != nil && !h.seen[k] {
		h.seen[k] = true
		h.add(k.Insts)
		h.add(k.Params)
		h.add(l.Module.Vars)
	}
	h.add([]any{l.Kernel, l.Grid, l.Block, l.DynShared, l.Registers, l.Args})
	return h.Runner.Launch(l)
}

func (h *hashing) add(v any) {
	if err := json.NewEncoder(h.sum).Encode(v); err != nil {
		panic(err) // plain data, to memory
	}
}

func (h *hashing) String() string { return hex.EncodeToString(h.sum.Sum(nil)) }
