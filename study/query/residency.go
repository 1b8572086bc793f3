package query

import (
	"fmt"
	"slices"

	"kumiko/gpus"
	"kumiko/gpus/result"
	"kumiko/regfile/sharing/pairing"
	"kumiko/sm/occupancy"
)

func init() {
	for _, f := range []Function{
		{"ctaregs", "variant, benchmark", "32-bit registers that a CTA of the kernel takes; of a benchmark with one kernel, or benchmark/kernel", func(c *Context) any {
			return c.residency(func(o *occupancy.Spec, _ occupancy.SM, cta occupancy.CTA) (any, error) {
				return float64(o.CTARegisters(cta.Threads, cta.Registers)), nil
			})
		}},
		{"unusedregs", "variant, benchmark", "32-bit registers of an SM that are left over when it holds as many CTAs as fit, without sharing", func(c *Context) any {
			return c.residency(func(o *occupancy.Spec, sm occupancy.SM, cta occupancy.CTA) (any, error) {
				r, err := o.Of(sm, cta)
				return float64(r.RegistersUnused), err
			})
		}},
		{"limitedby", "variant, benchmark, resource", "whether registers, shared, threads, warps or ctas limit residency, alone or together with others", func(c *Context) any { return c.limitedBy }},
		{"paired", "capacity, percta, threshold", "for registers and registers per CTA: the CTAs that register sharing makes resident, its pairs, those that share nothing, and the registers of a pair", func(*Context) any { return paired }},
		{"chipsms", "variant", "SMs of the whole chip of which the variant may simulate a slice", func(c *Context) any { return c.chipSMs }},
	} {
		Register(f)
	}
}

// residency makes a function of what the one kernel of a result needs.
func (c *Context) residency(of func(*occupancy.Spec, occupancy.SM, occupancy.CTA) (any, error)) any {
	return func(variant, benchmark string) (any, error) {
		r, err := c.Run(variant, benchmark)
		if r == nil {
			return 0.0, err
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

// onlyKernel is what a CTA of a result's kernel needs, when it has only one.
func onlyKernel(r *result.Result) (occupancy.CTA, error) {
	var cta occupancy.CTA
	for i := range r.Kernels {
		k := &r.Kernels[i]
		at := occupancy.CTA{Threads: k.Block[0] * k.Block[1] * k.Block[2], Registers: k.RegistersPerThread, SharedBytes: k.SharedBytes}
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

func paired(capacity, perCTA, threshold float64) ([]any, error) {
	t, err := pairing.Parse(threshold)
	if err != nil {
		return nil, err
	}
	base := int(capacity) / int(perCTA)
	pairs, unshared := t.CTAs(int(capacity), int(perCTA), base, 1<<30)
	return []any{float64(2*pairs + unshared), float64(pairs), float64(unshared), float64(t.Used(int(perCTA), 1, 0))}, nil
}

// chipSMs is the number of SMs without the slice.
func (c *Context) chipSMs(variant string) (float64, error) {
	name, err := c.variant(variant)
	if err != nil {
		return 0, err
	}
	v, s := c.cache.variants[name], c.data.Spec
	cfg, err := gpus.Load(gpus.Request{GPU: v.GPU, Design: v.Design, Set: slices.Concat(s.Set, v.Set, []string{"slice.sms=0"})})
	if err != nil {
		return 0, err
	}
	return float64(cfg.SM.Count), nil
}
