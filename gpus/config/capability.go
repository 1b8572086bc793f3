package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// limits are what bounds the CTAs of an SM: the table of technical specifications in the CUDA C++ Programming Guide,
// and NVIDIA's occupancy calculator for the units of allocation.
type limits struct {
	warps, threads, ctas     int // of an SM
	registers, threadRegs    int // of an SM, and of a thread
	shared, ctaShared        int // bytes, of an SM and of a CTA
	registerUnit, warpUnit   int // of a warp's registers, and of the warps of a CTA
	sharedUnit, sharedSystem int // bytes of a CTA's shared memory, and those that the system has of it
}

// capabilities has the limits by compute capability.
var capabilities = map[string]limits{
	"2.0": {48, 1536, 8, 32768, 63, 49152, 49152, 64, 2, 128, 0},
	"3.5": {64, 2048, 16, 65536, 255, 49152, 49152, 256, 4, 256, 0},
	"5.2": {64, 2048, 32, 65536, 255, 98304, 49152, 256, 4, 256, 0},
	"6.0": {64, 2048, 32, 65536, 255, 65536, 49152, 256, 2, 256, 0},
	"6.1": {64, 2048, 32, 65536, 255, 98304, 49152, 256, 4, 256, 0},
	"7.0": {64, 2048, 32, 65536, 255, 98304, 98304, 256, 4, 256, 0},
	"7.5": {32, 1024, 16, 65536, 255, 65536, 65536, 256, 4, 256, 0},
	"8.0": {64, 2048, 32, 65536, 255, 167936, 166912, 256, 4, 128, 1024},
	"8.6": {48, 1536, 16, 65536, 255, 102400, 101376, 256, 4, 128, 1024},
	"8.9": {48, 1536, 24, 65536, 255, 102400, 101376, 256, 4, 128, 1024},
	"9.0": {64, 2048, 32, 65536, 255, 233472, 232448, 256, 4, 128, 1024},
}

// KnownCapability reports whether the limits of a compute capability are known.
func KnownCapability(name string) bool {
	_, ok := capabilities[name]
	return ok
}

// checkCapability refuses a compute capability without a row in the table.
func checkCapability(name string) error {
	if _, ok := capabilities[name]; name == "" || ok {
		return nil
	}
	return fmt.Errorf("capability: found %q, expected one with known limits: %s", name,
		strings.Join(slices.Sorted(maps.Keys(capabilities)), ", "))
}

// Difference is a limit of an SM that is not that of the chip's compute capability.
type Difference struct {
	Key   string `json:"parameter"`
	Value int    `json:"value"`
	Guide int    `json:"capability_has"`
}

// String returns the parameter with both values.
func (d Difference) String() string { return fmt.Sprintf("%s %d, not %d", d.Key, d.Value, d.Guide) }

// Differences returns the limits in which this GPU differs from the compute capability that its file names: papers'
// GPUs have their own sizes. Units of allocation count under the rule that uses them.
func (c *Config) Differences() []Difference {
	l, ok := capabilities[c.Capability]
	if !ok {
		return nil
	}
	ctaShared := c.SM.CTAShared
	if ctaShared == 0 {
		ctaShared = c.SM.SharedBytes
	}
	all := []Difference{
		{"sm.warps", c.SM.Warps, l.warps}, {"sm.threads", c.SM.Threads, l.threads}, {"sm.ctas", c.SM.CTAs, l.ctas},
		{"sm.registers", c.SM.Registers, l.registers}, {"sm.max_registers_per_thread", c.SM.MaxRegs, l.threadRegs},
		{"sm.shared_bytes", c.SM.SharedBytes, l.shared}, {"sm.cta_shared_bytes", ctaShared, l.ctaShared},
	}
	if o := &c.Occupancy; o.Rule == "cuda" {
		all = append(all, Difference{"occupancy.register_unit", o.RegisterUnit, l.registerUnit},
			Difference{"occupancy.warp_unit", o.WarpUnit, l.warpUnit},
			Difference{"occupancy.shared_unit", o.SharedUnit, l.sharedUnit},
			Difference{"occupancy.shared_reserved", o.Reserved, l.sharedSystem})
	}
	return slices.DeleteFunc(all, func(d Difference) bool { return d.Value == d.Guide })
}
