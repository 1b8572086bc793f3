package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"kumiko/components/spec"
	"kumiko/internal/tomldoc"
	"kumiko/memsys"
	"kumiko/sm"
	"kumiko/sm/occupancy"
	ctas "kumiko/sm/residency"
	"kumiko/sm/sched"
	"kumiko/sm/switching"
)

// Config describes a GPU. Each exported field with a toml tag is a section of the file, and so are the settings of an
// SM's schedulers and of its switching of CTAs, which lie in the SM's own settings (owner). A section's Reconcile or
// Check method, if any, validates its values.
type Config struct {
	Name   string `toml:"-"` // of the GPU: a built-in name or a file
	Design string `toml:"-"` // of the preset on top of it; without one, the kind of register file

	Header
	GPU       GPUSpec        `toml:"gpu"`
	SM        sm.Spec        `toml:"sm"`
	Occupancy occupancy.Spec `toml:"occupancy"`
	RegFile   RegFile        `toml:"regfile"`
	Mem       memsys.Spec    `toml:"mem"`
	OnChip    OnChipSpec     `toml:"onchip"`
	Cache     CacheSpec      `toml:"cache"`
	Compiler  CompilerSpec   `toml:"compiler"`
	Account   AccountSpec    `toml:"account"`
	Slice     Slice          `toml:"slice"`
	Perturb   Perturb        `toml:"perturb"`
	// Residency is the sharing of SMs among the launches of several streams.
	Residency ctas.Sharing `toml:"residency"`

	origins map[string]origin
	layers  []layer // sources of the values, the root of the inheritance first
}

// Header holds a configuration file's statements about itself.
type Header struct {
	Base string `toml:"base"` // the inherited GPU: a built-in name, or a file relative to this one
	Doc  string `toml:"doc"`  // one line
	// Measured states, in a few words, which parts of the GPU rest on measurements of the chip; empty: none. A file
	// does not inherit this line.
	Measured string `toml:"measured"`
	// Capability is the compute capability of the chip whose limits the GPU has (kumiko occupancy); empty: of none.
	Capability string `toml:"capability"`
	// Meant states, in one line, for which kernels or machines a preset is; of presets alone.
	Meant string `toml:"meant"`
}

// ofHeader reports whether a key belongs to the header of a file.
func ofHeader(key string) bool {
	switch key {
	case "base", "doc", "measured", "meant", "capability":
		return true
	}
	return false
}

// origin is the place where a value was set, with the comment there.
type origin struct {
	pos     tomldoc.Pos
	comment string
}

// schema is the tree of keys. It is built on first use, after all kinds of register files have been registered.
var schema = sync.OnceValue(func() *node {
	n := tomldoc.ShapeOf(reflect.TypeFor[Config]())
	at, all := slices.Index(n.Keys, "sm")+1, len(n.Keys)
	n.Add("sched", tomldoc.ShapeOf(reflect.TypeFor[sched.Spec]()))
	n.Add("cta", tomldoc.ShapeOf(reflect.TypeFor[switching.Spec]()))
	n.Keys = slices.Insert(n.Keys[:all:all], at, n.Keys[all:]...)
	addKinds(n.Table["regfile"])
	return n
})

// sense validates a section, a pointer to a struct: the ranges of its tags first, and then what depends on several
// settings. Reconcile may also fill in values implied by others. Check changes nothing.
func sense(section any) error {
	if err := spec.Ranges(section); err != nil {
		return err
	}
	switch s := section.(type) {
	case interface{ Reconcile() error }:
		return s.Reconcile()
	case interface{ Check() error }:
		return s.Check()
	}
	return nil
}

// reconcile fills in the implied values of all sections and validates the sections. A validation error is a
// *spec.Error with a whole key, or of another type.
func (c *Config) reconcile() error {
	c.placePages()
	var errs []error
	for _, err := range []error{c.slice(), c.organise(), c.resides(), c.controls(), c.codes()} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	for _, name := range schema().Keys {
		if ofHeader(name) {
			continue
		}
		if err := sense(c.section(name).Addr().Interface()); err != nil {
			errs = append(errs, withSection(name, err))
		}
	}
	return errors.Join(errs...)
}

// withSection prefixes the key in an error with the section's name.
func withSection(section string, err error) error {
	var se *spec.Error
	if !errors.As(err, &se) {
		return fmt.Errorf("%s: %w", section, err)
	}
	if se.Whole {
		return err
	}
	return &spec.Error{Key: section + "." + se.Key, Found: se.Found, Want: se.Want}
}

// Capacity returns the resources of one SM for CTAs.
func (c *Config) Capacity() occupancy.SM {
	s := &c.SM
	out := occupancy.SM{
		Registers: s.Registers, SharedBytes: s.SharedBytes, Threads: s.Threads, Warps: s.Warps,
		CTAs: s.CTAs, CTAShared: s.CTAShared, MaxRegisters: s.MaxRegs,
	}
	if c.OnChip.Memory == unified {
		out.Pool = c.OnChip.Unified.bound()
		out.Pool.Registers = out.Pool.Registers && !kind(c.RegFile.Outer()).Pools
	}
	return out
}

// GPUSpec holds settings of the whole GPU, outside all blocks.
type GPUSpec struct {
	LaunchCycles int `toml:"launch_cycles" unit:"cycles" range:"0 to 10000000" doc:"from the beginning of a launch until its first CTA may be handed out, for comparisons with measurements that count the launch: an empty kernel of 1,024 CTAs takes 5,055 cycles on an H100 PCIe (sarchlab/mgpusim, H100_raw.csv)"`
	CTARate      int `toml:"ctas_per_cycle" unit:"CTAs per cycle" range:"0 to 65536" doc:"most CTAs that are handed out in a cycle, over all SMs. 0: one to each SM"`
}

// CacheSpec configures the treatment of caches between launches. All caches are cold at the first launch.
type CacheSpec struct {
	FlushBetweenLaunches bool `toml:"flush_between_launches" unit:"-" doc:"every launch starts with cold caches; otherwise they stay as the launch before left them"`
}

// AccountSpec enables counts at the cost of simulation time. Counts change no cycle.
type AccountSpec struct {
	LiveRegisters bool `toml:"live_registers" unit:"-" doc:"the registers that are live before the next instruction of each warp, and of each lane, are counted (sm.residency.registers_live, sm.residency.lane_registers_live)"`
	Reuse         bool `toml:"reuse" unit:"-" doc:"how often, and after how many cycles, registers and lines of the L1 are read again is counted, and how many lines there are (sm.reuse, mem.l1.reuse, mem.l1.lines)"`
	Windows       bool `toml:"windows" unit:"-" doc:"how many of the allocated registers the instructions of a window name is counted, in windows of 1000 instructions of a warp, a CTA and an SM (sm.windows)"`
}
