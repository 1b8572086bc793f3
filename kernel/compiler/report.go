package compiler

import (
	"kumiko/kernel/compiler/alloc"
	"kumiko/kernel/ir"
)

// Report has the register figures of a compiled kernel.
type Report struct {
	Kernel     string `json:"kernel"`
	Used       int    `json:"used"`          // registers per thread: the highest named, plus one
	Alloc4     int    `json:"alloc4"`        // used, rounded up to 4
	AllocHW    int    `json:"alloc_hw"`      // used, rounded up to the hardware's unit
	Predicates int    `json:"predicates"`    // predicates used
	Spilled    int    `json:"spilled_bytes"` // local memory per thread for spills
	MaxLive    int    `json:"max_live"`      // registers live at once before allocation
}

func newReport(k *ir.Kernel, res alloc.Result, opt Options) Report {
	unit := opt.Unit
	if unit == 0 {
		unit = 8
	}
	return Report{
		Kernel: k.Name, Used: res.Used, Alloc4: roundUp(res.Used, 4), AllocHW: roundUp(res.Used, unit),
		Predicates: res.Predicates, Spilled: res.SpilledBytes, MaxLive: res.MaxLive,
	}
}
