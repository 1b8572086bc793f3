package query

import (
	"fmt"
	"math"

	"kumiko/sm/occupancy"
)

func init() {
	for _, f := range []Function{
		{"residentctas", "variant, benchmark",
			"mean over cycles of the CTAs that an SM holds, with scheduler slots or without; for variants that " +
				"switch CTAs or have cta.observe", func(c *Context) any {
				return c.meanCTAs("switch.resident_ctas")
			}},
		{"activectas", "variant, benchmark", "mean over cycles of the CTAs of an SM that have scheduler slots",
			func(c *Context) any {
				return c.meanCTAs("switch.active_ctas")
			}},
		{"ctashared", "variant, benchmark",
			"bytes of shared memory per CTA of the kernel; the benchmark has one kernel, or is " +
				"benchmark/kernel", func(c *Context) any {
				return c.residency(func(_ *occupancy.Spec, _ occupancy.SM, cta occupancy.CTA) (any, error) {
					return float64(cta.SharedBytes), nil
				})
			}},
		{"bestof", "variants, benchmark",
			"the variant with the highest IPC on the benchmark, the first of equals",
			func(c *Context) any { return c.best }},
	} {
		Register(f)
	}
	Names("residentctas", "switch.resident_ctas")
	Names("activectas", "switch.active_ctas")
}

// meanCTAs returns a function for the mean of a count of CTAs, given as a sum over the cycles of all SMs.
func (c *Context) meanCTAs(sum string) any {
	return func(variant, benchmark string) (float64, error) {
		n, err := c.stat(variant, benchmark, sum)
		if err != nil || math.IsNaN(n) {
			return n, err
		}
		r, err := c.Run(variant, benchmark)
		if err != nil {
			return 0, err
		}
		sms, ok := number(r.Config["sm.count"])
		if !ok || sms == 0 || r.Total.Cycles == 0 {
			return 0, fmt.Errorf("variant %s on %s: no cycles, or no SMs", variant, benchmark)
		}
		return n / float64(r.Total.Cycles) / sms, nil
	}
}

// best returns the variant with the highest IPC. If some variants have no record, the result counts for nothing:
// all variants have been requested, so the value of the expression is "not run".
func (c *Context) best(variants any, benchmark string) (string, error) {
	list, err := texts(variants)
	if err != nil {
		return "", err
	}
	if len(list) == 0 {
		return "", fmt.Errorf("bestof: found no variant, expected at least one")
	}
	at, most := list[0], math.Inf(-1)
	for _, v := range list {
		r, err := c.Run(v, benchmark)
		if err != nil {
			return "", err
		}
		if r != nil && r.Total.IPC > most {
			at, most = v, r.Total.IPC
		}
	}
	return at, nil
}
