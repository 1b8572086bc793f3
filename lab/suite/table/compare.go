package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
	"kumiko/gpus/config"
	"kumiko/sm/occupancy"
)

// view is a paper's classification of applications, with the GPU on which it is checked.
type view struct {
	paper, gpu string
	// limits returns the limiting resources consistent with a class; nil if the paper does not class the kernel.
	limits func(class string, kernel string) []string
}

// views are the papers that class applications by the limit of residency. FineReg: type-S by CTA or warp slots,
// type-R by the register file or shared memory (table II). Register Sharing names the resource (tables 2 and 3).
// CERF stars the applications limited by registers (table II). LTRF: register-sensitive applications gain from a
// larger register file.
var views = []view{
	{"finereg", "gtx980", func(class, _ string) []string {
		switch {
		case strings.Contains(class, "type-S"):
			return slots
		case strings.Contains(class, "(shared memory)"):
			return []string{occupancy.ByShared}
		}
		return []string{occupancy.ByRegisters, occupancy.ByShared}
	}},
	{"sharing", "tesla-c2050", func(_, kernel string) []string { return sharing[kernel] }},
	{"ltrf", "maxwell", func(class, _ string) []string {
		if strings.Contains(class, "insensitive") {
			return notRegisters
		}
		return []string{occupancy.ByRegisters}
	}},
	{"cerf", "fermi-gto", func(class, _ string) []string {
		if strings.Contains(class, "register-limited") {
			return []string{occupancy.ByRegisters}
		}
		return notRegisters
	}},
}

var (
	slots        = []string{occupancy.ByThreads, occupancy.ByWarps, occupancy.ByCTAs}
	notRegisters = append([]string{occupancy.ByShared}, slots...)
)

// sharing has the limiting resource of every kernel in Register Sharing's tables 2 and 3, by the kernel's name
// here.
var sharing = map[string][]string{
	"adjust_weights": {occupancy.ByRegisters}, "findRangeK": {occupancy.ByRegisters},
	"hotspotDouble":                {occupancy.ByRegisters},
	"Pathcalc_Portfolio_KernelGPU": {occupancy.ByRegisters}, "mummergpuKernel": {occupancy.ByRegisters},
	"ComputeQ": {occupancy.ByRegisters}, "sgemm": {occupancy.ByRegisters},
	"block2D_hybrid_coarsen_x": {occupancy.ByRegisters},
	"layerforward":             {occupancy.ByThreads}, "visit": {occupancy.ByThreads}, "Fan1": {occupancy.ByThreads},
	"lavamd": {occupancy.ByShared}, "lud_perimeter": {occupancy.ByCTAs}, "ComputePhiMag": {occupancy.ByThreads},
	"executeSecondLayer": {occupancy.ByCTAs}, "sha1_overlap": {occupancy.ByShared},
}

// comparison compares a kernel's limiting resource with a paper's.
type comparison struct {
	app, kernel, paper, gpu string
	want                    []string
	natural, printed        string // limits with the allocator's and with the printed footprint; "": not printed
}

func (c *comparison) key() string { return c.paper + " " + c.app + " " + c.kernel }

// agree reports whether one of the limits is the paper's.
func (c *comparison) agree(limit string) bool {
	return slices.ContainsFunc(strings.Split(limit, " = "), func(l string) bool { return slices.Contains(c.want, l) })
}

// compare returns all comparisons. For a paper that classes whole applications, the kernel executing the most
// instructions is compared.
func compare(rows []row) ([]comparison, error) {
	var out []comparison
	for _, v := range views {
		cfg, err := config.Load(config.Request{GPU: v.gpu})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			class, is := r.Papers[v.paper]
			if !is {
				continue
			}
			for _, k := range r.classed(v.paper) {
				c := comparison{app: r.Name, kernel: k.Name, paper: v.paper, gpu: v.gpu, want: v.limits(class, k.Name)}
				if c.want == nil {
					continue
				}
				c.natural = limit(cfg, k, r.m.Kernel(k.Name).Charged[v.gpu])
				if k.PaperRegisters != 0 {
					c.printed = limit(cfg, k, k.PaperRegisters)
				}
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// classed returns the kernels covered by a paper's class.
func (r *row) classed(paper string) []*benchmarks.KernelInfo {
	var all []*benchmarks.KernelInfo
	for i := range r.Kernels {
		all = append(all, &r.Kernels[i])
	}
	if paper == "sharing" {
		return all
	}
	work := r.m.Sizes["study"].Work
	most := slices.MaxFunc(work, func(x, y measured.Work) int {
		return cmp.Compare(x.WarpInstructions,
			y.WarpInstructions)
	})
	return slices.DeleteFunc(all, func(k *benchmarks.KernelInfo) bool { return k.Name != most.Kernel })
}

// limit returns the limiting resources, with "=" between equally limiting ones.
func limit(cfg *config.Config, k *benchmarks.KernelInfo, registers int) string {
	cta := occupancy.CTA{Threads: k.Threads(), Registers: registers, SharedBytes: k.Shared}
	all, err := cfg.Occupancy.Of(cfg.Capacity(), cta)
	if err != nil {
		return "does not fit"
	}
	var tied []string
	for _, name := range []string{occupancy.ByRegisters, occupancy.ByShared, occupancy.ByThreads, occupancy.ByWarps,
		occupancy.ByCTAs} {
		sm, err := cfg.Capacity().Only(name)
		if err != nil {
			panic(err) // the names are the package's
		}
		if r, err := cfg.Occupancy.Of(sm, cta); err == nil && r.CTAs == all.CTAs {
			tied = append(tied, name)
		}
	}
	if slices.Contains(tied, occupancy.ByThreads) { // warps follow from threads
		tied = slices.DeleteFunc(tied, func(n string) bool { return n == occupancy.ByWarps })
	}
	return strings.Join(tied, " = ")
}

func writeComparison(w io.Writer, rows []row) error {
	list, err := compare(rows)
	if err != nil {
		return err
	}
	fmt.Fprint(w, "\n## What limits residency, beside the papers\n\n")
	fmt.Fprint(w,
		"The limit on each paper's GPU, with the footprint that the allocator needs and with the printed one. "+
			"FineReg's type-S is\n",
		"CTA slots, threads or warps, and its type-R registers or shared memory. LTRF's register-sensitive "+
			"applications and CERF's\n",
		"starred ones should be limited by registers, their others by something else. All resources that tie are "+
			"named.\n\n")
	tableHead(w, "paper", "GPU", "application", "kernel", "paper's limit", "natural footprint", "printed footprint",
		"agrees")
	agreed, agreedPrinted, counts := 0, 0, map[bool]int{}
	for _, c := range list {
		verdict := "no"
		switch {
		case c.agree(c.natural):
			verdict = "yes"
			agreed++
		case c.printed != "" && c.agree(c.printed):
			verdict = "with the printed footprint"
		}
		if c.printed != "" {
			counts[true]++
			if c.agree(c.printed) {
				agreedPrinted++
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", c.paper, c.gpu, c.app, c.kernel,
			strings.Join(c.want, ", "), c.natural,
			cmp.Or(c.printed, "-"), verdict)
	}
	fmt.Fprintf(w,
		"\n%d of %d agree with the natural footprint; of the %d with a footprint in print, %d agree with that.\n\n",
		agreed, len(list), counts[true], agreedPrinted)
	fmt.Fprint(w, "Disagreements with the natural footprint, and why:\n\n")
	for _, c := range list {
		if !c.agree(c.natural) {
			fmt.Fprintf(w, "* %s, %s %s: %s\n", c.paper, c.app, c.kernel, reasons[c.key()])
		}
	}
	return nil
}
