package cli

import (
	"kumiko/kernel/fingerprint"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// hashing is a runner that takes the fingerprint of what it launches.
type hashing struct {
	host.Runner
	*fingerprint.Sum
	before func(kernel string)
}

func newHashing(r host.Runner, m *mem.Memory, before func(string)) *hashing {
	return &hashing{Runner: r, Sum: fingerprint.New(m), before: before}
}

// Launch implements host.Runner.
func (h *hashing) Launch(l *host.Launch) error {
	h.before(l.Kernel)
	h.Sum.Launch(l)
	return h.Runner.Launch(l)
}
