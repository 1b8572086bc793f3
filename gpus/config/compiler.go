package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kumiko/components/spec"
	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/compiler/control"
	"kumiko/kernel/cubin"
)

// CompilerSpec configures the back end. The back end compiles PTX for the GPU.
type CompilerSpec struct {
	Code       string   `toml:"code" unit:"-" doc:"whose machine code a program runs as. own: that of this compiler, with the settings of this section. sm_75 and the like: that of NVIDIA's ptxas for the architecture, with the registers that it chose. docs/machine-code.md has what runs where"`
	Off        []string `toml:"off" unit:"-" doc:"passes to leave out: thread, fold, dead, fuse, divide, float-divide, wide, if-convert, merge, schedule, coalesce"`
	BankPolicy string   `toml:"bank_policy" unit:"-" doc:"which free register the allocator takes: first-free, rotate, least-conflict, or apart (one that no value has had yet: as if registers were virtual)"`
	Banks      int      `toml:"banks" unit:"banks" range:"1 to 256" doc:"register banks that the allocator's bank policy assumes" when:"bank_policy=least-conflict"`
	If         int      `toml:"if_threshold" unit:"instructions" range:"1 to 64" doc:"longest branch body that is turned into guarded instructions"`
	Schedule   string   `toml:"schedule" unit:"-" doc:"how instructions are ordered. latency: loads as far ahead of their uses as covers their latency, in the registers that a launch asks for, or in as many as leave the resident_... SM as many CTAs as it holds with those that the kernel needs anyway. pressure: within the registers that the kernel needs anyway. source: not at all, they stay in the order of the PTX"`
	Spare      int      `toml:"spare_registers" unit:"registers" range:"0 to 128" doc:"registers more than a kernel needs anyway that instruction scheduling may keep live, to bring loads farther ahead of their use" when:"schedule=pressure"`
	Registers  int      `toml:"resident_registers" unit:"32-bit registers" range:"32 to 16777216" doc:"registers of the SM for which instructions are scheduled, if it has no fewer (sm.registers). More do not change the code" when:"schedule=latency"`
	Warps      int      `toml:"resident_warps" unit:"warps" range:"1 to 1024" doc:"warps of that SM" when:"schedule=latency"`
	CTAs       int      `toml:"resident_ctas" unit:"CTAs" range:"1 to 1024" doc:"CTAs of that SM" when:"schedule=latency"`
	Control    string   `toml:"control_words" unit:"-" doc:"machine for which the compiler makes control words: sm_52, sm_75, sm_86 or sm_90; none" when:"/sched.dependences=control"`
	Predicates int      `toml:"predicates" unit:"predicates" range:"7 to 32" doc:"predicate registers per warp"`
}

// Instruction-scheduling modes, by name.
const (
	scheduleLatency  = "latency"
	schedulePressure = "pressure"
	scheduleSource   = "source"
)

// ownCode is the value of compiler.code for code of this project's compiler.
const ownCode = "own"

// Arch returns the architecture of ptxas' machine code that programs run as, 75 for sm_75; 0: they run as code of this
// project's compiler.
func (s *CompilerSpec) Arch() int {
	n, _ := strings.CutPrefix(s.Code, "sm_")
	arch, err := strconv.Atoi(n)
	if err != nil {
		return 0
	}
	return arch
}

// checkCode refuses code that is not understood.
func (s *CompilerSpec) checkCode() error {
	if s.Code == ownCode || cubin.Supports(s.Arch()) && s.Code == fmt.Sprintf("sm_%d", s.Arch()) {
		return nil
	}
	_, err := cubin.Family(s.Arch())
	return spec.Errorf("code", s.Code, "%s, or sm_ and a number: %v", ownCode, err)
}

// noControl turns off the generation of control words.
const noControl = "none"

// options converts the settings into compiler options.
func (s *CompilerSpec) options() (compiler.Options, error) {
	steps := s.Off
	if s.Schedule == scheduleSource {
		steps = append(slices.Clone(steps), "schedule")
	}
	off, err := compiler.ParseSteps(strings.Join(steps, ","))
	if err != nil || slices.ContainsFunc(s.Off,
		func(name string) bool { return name == "" || strings.ContainsAny(name, ", ") }) {
		return compiler.Options{}, spec.Errorf("off", fmt.Sprintf("%q", s.Off), "names of passes: %s",
			compiler.AllSteps())
	}
	policy, err := alloc.ParsePolicy(s.BankPolicy)
	if err != nil {
		return compiler.Options{}, spec.Errorf("bank_policy", s.BankPolicy,
			"first-free, rotate, least-conflict or apart")
	}
	o := compiler.Options{Off: off, Policy: policy, Banks: s.Banks, IfThreshold: s.If, Predicates: s.Predicates}
	if s.Control != noControl {
		o.Control = s.Control
	}
	switch s.Schedule {
	case schedulePressure:
		o.Spare = s.Spare
	case scheduleLatency:
		o.Ahead, o.SM = true, compiler.Room{Registers: s.Registers, Warps: s.Warps, CTAs: s.CTAs}
	}
	return o, nil
}

// Check refuses settings unknown to the compiler.
func (s *CompilerSpec) Check() error {
	if err := cmp.Or(
		spec.OneOf("schedule", s.Schedule, scheduleLatency, schedulePressure, scheduleSource),
		spec.OneOf("control_words", s.Control, append([]string{noControl}, control.Names()...)...),
		s.checkCode(),
	); err != nil {
		return err
	}
	_, err := s.options()
	return err
}

// CompilerOptions converts the settings into compiler options for a launch with the given footprint (0: as many
// registers as the allocator needs) in CTAs of so many threads (0: unknown).
func (c *Config) CompilerOptions(registers, threads int) compiler.Options {
	o, err := c.Compiler.options()
	if err != nil {
		panic(err) // Check has refused it
	}
	o.Registers, o.Threads = registers, threads
	if o.Control != "" {
		o.Hardware = c.Hardware()
	}
	if o.Ahead {
		o.SM.Registers, o.SM.Unit = min(o.SM.Registers, c.SM.Registers), c.Occupancy.WarpRegisters(1)
	}
	return o
}
