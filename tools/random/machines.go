package main

import (
	"fmt"
	"io"
	"slices"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/pairs"
	"kumiko/sm/occupancy"
)

// sizes are the settings of a small machine, the smallest first. A design has the smallest one accepted by it: with few
// registers and few slots of warps some CTAs fill an SM, and designs for sharing, moving or replacing registers, or for
// switching CTAs, have something to do.
var sizes = [][]string{
	{"slice.sms=1", "sm.registers=16384", "sm.warps=8"},
	{"slice.sms=1", "sm.registers=16384"},
	{"slice.sms=1"},
	{"slice.sms=2", "sm.registers=16384"},
	{"slice.sms=2"},
}

// A design is a preset, or a pair of a register file and a residency, with the settings needed to run it.
type design struct {
	gpu, name string
	set       []string
	varies    bool // one of variants
	cfg       *config.Config
	machine   *gpus.Machine // nil: not built
	used      int           // kernels run by the machine
}

// String returns the arguments of kumiko run for the design.
func (d *design) String() string {
	s := fmt.Sprintf("--gpu %s --design %s", d.gpu, d.name)
	for _, x := range d.set {
		s += " --set " + x
	}
	return s
}

// mostUses bounds the kernels run by one machine, since a machine keeps each compiled kernel.
const mostUses = 64

// ready returns a machine of the design, with the operand check on.
func (d *design) ready() (*gpus.Machine, error) {
	if d.machine == nil || d.used == mostUses {
		m, err := gpus.New(d.cfg, gpus.Options{Printf: io.Discard, Check: true, MaxCycles: mostCycles})
		if err != nil {
			return nil, err
		}
		d.machine, d.used = m, 0
	}
	d.used++
	return d.machine, nil
}

// mostCycles is a time in which no kernel stays, unless it hangs.
const mostCycles = 1 << 22

// variants are presets with settings of no preset, bearing on the knowledge of live registers.
var variants = []design{
	{name: "ltrf", set: []string{"regfile.ltrf.liveness=vector"}},
	{name: "ltrf", set: []string{"regfile.ltrf.liveness=vector", "regfile.ltrf.interval_write_back=live"}},
	{name: "ltrf", set: []string{"regfile.ltrf.liveness=dynamic"}},
	{name: "ltrf-strand", set: []string{"regfile.ltrf.liveness=vector", "regfile.ltrf.interval_write_back=live"}},
	{name: "ltrf-plus", set: []string{"regfile.ltrf.keep=false", "regfile.ltrf.pending=wait"}},
	{name: "cerf-prioritized", set: []string{"regfile.cerf.dead=meet"}},
	{name: "finereg", set: []string{"regfile.finereg.pcrf=64"}},
	{name: "bow-wr", set: []string{"regfile.bow.window=8"}},
}

// designs lists the presets of a GPU, their variants, and the pairs, as far as they run there.
func designs(gpu string) ([]*design, error) {
	var list []design
	presets, err := pairs.Presets(gpu)
	if err != nil {
		return nil, err
	}
	for _, p := range presets {
		if p.Why == "" {
			list = append(list, design{name: p.Design, set: p.Sets})
			for _, v := range variants {
				if v.name == p.Design {
					list = append(list, design{name: v.name, set: slices.Concat(p.Sets, v.set), varies: true})
				}
			}
		}
	}
	all, err := pairs.List(gpu)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Why == "" {
			list = append(list, design{name: p.Design, set: p.Sets})
		}
	}
	var out []*design
	seen := map[string]bool{}
	for _, d := range list {
		d.gpu = gpu
		if err := d.fit(); err != nil && d.varies {
			continue // the GPU needs other settings beside it
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", &d, err)
		}
		if key := d.String(); !seen[key] {
			seen[key] = true
			out = append(out, &d)
		}
	}
	return out, nil
}

// fit chooses the size of the machine.
func (d *design) fit() (err error) {
	own := d.set
	for _, size := range sizes {
		d.set = slices.Concat(size, own)
		if d.cfg, err = config.Load(config.Request{GPU: d.gpu, Design: d.name, Set: d.set}); err != nil {
			continue
		}
		if _, err = gpus.New(d.cfg, gpus.Options{}); err != nil {
			continue
		}
		if d.cfg.RegFile.Residency == "regpool" && len(size) > 1 {
			continue // its pool is for several of the largest CTAs
		}
		if _, err = d.cfg.CTAs(occupancy.CTA{Threads: mostThreads, Registers: launched}); err == nil {
			return nil
		}
	}
	return err
}
