package config

import (
	"slices"

	"kumiko/components/spec"
	"kumiko/regfile"
)

// Organisations of an SM's on-chip memory available with every kind of register file. Some kinds bring an
// organisation of their own (regfile.Kind.OnChip).
const (
	separate = "separate"
	unified  = "unified"
)

// Keys related to the organisation.
const (
	onChipMemory = "onchip.memory"
	l1Sets       = "mem.l1.tags.sets"
)

// OnChipSpec configures the division of an SM's memory among registers, shared memory and the L1 data cache.
type OnChipSpec struct {
	Memory string `toml:"memory" unit:"-" doc:"separate: registers, shared memory and the L1 have memories of their own; unified: what CTAs leave of a pool is the L1, launch by launch; cerf: registers and the lines of the L1 lie in one set-associative memory, which the kind of register file brings"`
	// Unified configures the pool.
	Unified Pool `toml:"unified" when:"memory=unified"`
}

// Check refuses an organisation unsupported by every kind of register file.
func (s *OnChipSpec) Check() error {
	all := []string{separate, unified}
	for _, name := range regfile.Names() {
		if o := kind(name).OnChip; o != "" {
			all = append(all, o)
		}
	}
	if slices.Contains(all, s.Memory) {
		return spec.Within("unified", s.Unified.check())
	}
	return spec.OneOf("memory", s.Memory, all...)
}

// organise refuses an organisation of on-chip memory that does not fit the kind of register file.
func (c *Config) organise() error {
	k, err := regfile.Find(c.RegFile.Kind)
	if err != nil {
		return nil // the section says so itself
	}
	if k.OnChip != "" && c.OnChip.Memory != k.OnChip {
		return spec.Errorf(onChipMemory, c.OnChip.Memory, "%s, with regfile.kind = %s", k.OnChip, k.Name)
	}
	if i := c.Mem.L1.Tags.Index; c.OnChip.Memory == unified && i != "linear" {
		return spec.Errorf("mem.l1.tags.index", i,
			"linear with onchip.memory = %s, under which there is any number of sets", unified)
	}
	if k.OnChip != "" && c.SM.Scheduler.WantsMisses() {
		return spec.Errorf("sched.suspend_on", c.SM.Scheduler.SuspendOn,
			"use, with regfile.kind = %s, whose cache tells of no misses", k.Name)
	}
	if k.OnChip != "" {
		return nil
	}
	for _, name := range regfile.Names() {
		if o := kind(name).OnChip; o == c.OnChip.Memory && o != "" {
			return spec.Errorf(onChipMemory, o, "another organisation with regfile.kind = %s, or regfile.kind = %s",
				k.Name, name)
		}
	}
	return nil
}
