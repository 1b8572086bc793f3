package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/runpage"
	"kumiko/gpus/timeline"
)

// heldBy lists the n accesses that an instruction waited for longest. Each has the register that waited, the register
// that was accessed, and the bank that has both.
func heldBy(x *timeline.Profiled, n int) string {
	var out []string
	all := x.BankWait + x.WriteWait
	merged := acrossSubCores(x.Holders)
	for _, h := range merged[:min(n, len(merged))] {
		what := h.Cause
		if h.Text != "" {
			place := fmt.Sprintf("line %d", h.Line)
			if h.Line == 0 {
				place = fmt.Sprintf("pc %d", h.PC)
			}
			what = fmt.Sprintf("%s of %s (%s)", h.Access, place, h.Text)
			if h.OwnWarp {
				what = "own " + what
			}
			if h.Kernel != "" {
				what += fmt.Sprintf(" in %s of stream %d", app.KernelName(h.Kernel), h.Stream)
			}
		}
		if h.Waiting != "" && h.Register != "" {
			what += fmt.Sprintf(": %s behind %s", h.Waiting, h.Register)
		}
		out = append(out, runpage.Share(h.Cycles, all)+" "+what+" in "+h.Bank)
	}
	return strings.Join(out, "; ")
}

// acrossSubCores merges holders that differ in the bank alone, because the bank of a register depends on the warp. A
// merged holder has the name of its bank, or the number of banks if it has several. The one with the most cycles comes
// first.
func acrossSubCores(list []timeline.Holder) (out []timeline.Holder) {
	banks := map[timeline.Holder]map[string]bool{}
	for _, h := range list {
		key := h
		key.Bank, key.Cycles = "", 0
		i := slices.IndexFunc(out, func(o timeline.Holder) bool {
			o.Bank, o.Cycles = "", 0
			return o == key
		})
		if i < 0 {
			i = len(out)
			out = append(out, h)
			out[i].Cycles = 0
			banks[key] = map[string]bool{}
		}
		out[i].Cycles += h.Cycles
		banks[key][h.Bank] = true
	}
	for i := range out {
		key := out[i]
		key.Bank, key.Cycles = "", 0
		if n := len(banks[key]); n > 1 {
			out[i].Bank = fmt.Sprintf("%d banks", n)
		}
	}
	slices.SortStableFunc(out, func(a, b timeline.Holder) int { return cmp.Compare(b.Cycles, a.Cycles) })
	return out
}

// registerWaits returns the cycles that each register waited for each bank, over all instructions.
func registerWaits(p *timeline.ProfileReport) (out []runpage.RegisterWaits) {
	at := map[[2]string]int{}
	for i := range p.Instructions {
		for _, h := range p.Instructions[i].Holders {
			if h.Waiting == "" {
				continue
			}
			key := [2]string{h.Bank, h.Waiting}
			k, ok := at[key]
			if !ok {
				k = len(out)
				at[key] = k
				out = append(out, runpage.RegisterWaits{Bank: h.Bank, Register: h.Waiting})
			}
			out[k].Cycles += h.Cycles
		}
	}
	return out
}
