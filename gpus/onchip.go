package gpus

import (
	"strings"

	"kumiko/components/spec"
	"kumiko/regfile"
)

// Organisations of an SM's on-chip memory that every kind of register file may have
// beside it. Others are those of single kinds (regfile.Kind.OnChip).
const separate = "separate"

// OnChipSpec says how registers, shared memory and the L1 data cache divide an SM's
// memory.
type OnChipSpec struct {
	Memory string `toml:"memory" unit:"-" doc:"separate: registers, shared memory and the L1 have memories of their own; cerf: registers and the lines of the L1 lie in one set-associative memory, which the kind of register file brings"`
}

// Check refuses what no kind of register file is made for.
func (s *OnChipSpec) Check() error {
	all := []string{separate}
	for _, name := range regfile.Names() {
		if o := kind(name).OnChip; o != "" {
			all = append(all, o)
		}
	}
	for _, o := range all {
		if s.Memory == o {
			return nil
		}
	}
	return spec.Errorf("memory", s.Memory, "%s", strings.Join(all, ", "))
}

// organise refuses an organisation of on-chip memory that is not that of the kind of
// register file.
func (c *Config) organise() error {
	k, err := regfile.Find(c.RegFile.Kind)
	if err != nil {
		return nil // the section says so itself
	}
	if k.OnChip != "" && c.OnChip.Memory != k.OnChip {
		return spec.Errorf("onchip.memory", c.OnChip.Memory, "%s, with regfile.kind = %s", k.OnChip, k.Name)
	}
	if k.OnChip != "" {
		return nil
	}
	for _, name := range regfile.Names() {
		if o := kind(name).OnChip; o == c.OnChip.Memory && o != "" {
			return spec.Errorf("onchip.memory", o, "another organisation with regfile.kind = %s, or regfile.kind = %s", k.Name, name)
		}
	}
	return nil
}
