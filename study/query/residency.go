package query

import (
	"fmt"
	"math"
	"strings"

	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/sm/occupancy"
)

func init() {
	for _, f := range []Function{
		{"ctaregs", "variant, benchmark",
			"32-bit registers per CTA of the kernel; the benchmark has one kernel, or is benchmark/kernel",
			func(c *Context) any {
				return c.residency(func(o *occupancy.Spec, _ occupancy.SM, cta occupancy.CTA) (any, error) {
					return float64(o.CTARegisters(cta.Threads, cta.Registers)), nil
				})
			}},
		{"unusedregs", "variant, benchmark",
			"32-bit registers of an SM that are unused when it holds as many CTAs as fit, without sharing",
			func(c *Context) any {
				return c.residency(func(o *occupancy.Spec, sm occupancy.SM, cta occupancy.CTA) (any, error) {
					r, err := o.Of(sm, cta)
					return float64(r.RegistersUnused), err
				})
			}},
		{"limitedby", "variant, benchmark, resource",
			"whether registers, shared, pool, threads, warps or ctas limit residency, alone or with others",
			func(c *Context) any { return c.limitedBy }},
		{"occupancy", "variant, benchmark, figure",
			"a figure of kumiko occupancy for the kernel on the variant: ctas_per_sm, registers_unused, or one " +
				"of the register file's own; the benchmark has one kernel, or is benchmark/kernel",
			func(c *Context) any { return c.occupancy }},
		{"fits", "variant, settings, threads, registers, figure",
			"a figure of kumiko occupancy for CTAs with this many threads and registers per thread, on the " +
				"variant with further settings",
			func(c *Context) any { return c.fits }},
		{"chipsms", "variant", "SMs of the whole chip, also if the variant simulates a slice of it",
			func(c *Context) any { return c.chipSMs }},
	} {
		Register(f)
	}
}

// residency returns a function of the resource needs of a result's only kernel.
func (c *Context) residency(of func(*occupancy.Spec, occupancy.SM, occupancy.CTA) (any, error)) any {
	return func(variant, benchmark string) (any, error) {
		r, err := c.Run(variant, benchmark)
		if r == nil {
			return math.NaN(), err
		}
		cta, err := onlyKernel(r)
		if err != nil {
			return nil, err
		}
		v, err := c.variant(variant)
		if err != nil {
			return nil, err
		}
		cfg := c.data.Spec.Config(v)
		if cfg == nil {
			return nil, fmt.Errorf("the configuration of variant %s is not known", v)
		}
		return of(&cfg.Occupancy, cfg.Capacity(), cta)
	}
}

// onlyKernel returns the needs of a CTA of a result's kernel, if there is only one kernel.
func onlyKernel(r *result.Result) (occupancy.CTA, error) {
	var cta occupancy.CTA
	for i := range r.Kernels {
		k := &r.Kernels[i]
		at := occupancy.CTA{Threads: k.Block[0] * k.Block[1] * k.Block[2], Registers: k.RegistersPerThread,
			SharedBytes: k.SharedBytes}
		if i > 0 && at != cta {
			return cta, fmt.Errorf("%s has several kernels: expected benchmark/kernel", r.Program)
		}
		cta = at
	}
	if cta.Threads == 0 {
		return cta, fmt.Errorf("the record of %s has no kernels", r.Program)
	}
	return cta, nil
}

func (c *Context) limitedBy(variant, benchmark, what string) (bool, error) {
	ask := c.residency(func(o *occupancy.Spec, sm occupancy.SM, cta occupancy.CTA) (any, error) {
		alone, err := sm.Only(what)
		if err != nil {
			return nil, err
		}
		all, err := o.Of(sm, cta)
		if err != nil {
			return nil, err
		}
		r, err := o.Of(alone, cta)
		return r.CTAs == all.CTAs, err
	}).(func(string, string) (any, error))
	v, err := ask(variant, benchmark)
	yes, _ := v.(bool)
	return yes, err
}

func (c *Context) occupancy(variant, benchmark, figure string) (float64, error) {
	r, err := c.Run(variant, benchmark)
	if r == nil {
		return math.NaN(), err
	}
	cta, err := onlyKernel(r)
	if err != nil {
		return 0, err
	}
	cfg, err := c.configWith(variant, nil)
	if err != nil {
		return 0, err
	}
	return figureOf(cfg, cta, figure)
}

// fits computes a figure of occupancy. It returns NaN if one of the numbers is NaN.
func (c *Context) fits(variant string, settings []any, threads, registers float64, figure string) (float64, error) {
	cfg, err := c.configWith(variant, settings)
	if err != nil {
		return 0, err
	}
	if math.IsNaN(threads + registers) {
		return math.NaN(), nil
	}
	for _, x := range []struct {
		of    string
		value float64
	}{{"threads", threads}, {"registers", registers}} {
		if x.value != math.Trunc(x.value) || x.value < 1 || x.value > mostOfACTA {
			return 0, fmt.Errorf("fits: %s: found %v, expected a whole number from 1 to %d", x.of, x.value, mostOfACTA)
		}
	}
	return figureOf(cfg, occupancy.CTA{Threads: int(threads), Registers: int(registers)}, figure)
}

// mostOfACTA bounds the given threads of a CTA and registers of a thread.
const mostOfACTA = 1 << 20

// figureOf returns a figure of the occupancy of a CTA.
func figureOf(cfg *config.Config, cta occupancy.CTA, figure string) (float64, error) {
	o, err := cfg.CTAs(cta)
	if err != nil {
		return 0, err
	}
	known := []string{"ctas_per_sm", "registers_unused"}
	for _, f := range o.Figures {
		known = append(known, f.Name)
		if f.Name == figure {
			return float64(f.Value), nil
		}
	}
	switch figure {
	case known[0]:
		return float64(o.CTAs), nil
	case known[1]:
		return float64(o.RegistersUnused), nil
	}
	return 0, fmt.Errorf("found figure %q, expected one of %s", figure, strings.Join(known, ", "))
}

// configWith returns the configuration of a variant with further settings.
func (c *Context) configWith(variant string, settings []any) (*config.Config, error) {
	name, err := c.variant(variant)
	if err != nil {
		return nil, err
	}
	var set []string
	for _, x := range settings {
		text, ok := x.(string)
		if !ok {
			return nil, fmt.Errorf("found %v among the settings, expected \"key=value\"", x)
		}
		set = append(set, text)
	}
	return config.Load(c.data.Spec.Request(c.cache.variants[name], set...))
}

// chipSMs returns the number of SMs of the whole chip, of which the model may be a slice.
func (c *Context) chipSMs(variant string) (float64, error) {
	cfg, err := c.configWith(variant, []any{"slice.sms=0"})
	if err != nil {
		return 0, err
	}
	return float64(cfg.SM.Count), nil
}
