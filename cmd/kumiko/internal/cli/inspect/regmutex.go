package inspect

import (
	"fmt"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/kernel/compiler/regmutex"
)

type mutexJSON struct {
	Kernel       string `json:"kernel"`
	Base         int    `json:"base"`   // registers owned by every warp
	Shared       int    `json:"shared"` // registers of a section of the shared pool
	Instructions int    `json:"instructions"`
	Held         int    `json:"held"` // instructions in need of a section
	Acquire      []int  `json:"acquire"`
	Release      []int  `json:"release"`
	Barriers     []int  `json:"barriers"` // CTA barriers at which a section is held
}

// inspectRegMutex prints where kernels need registers beyond the base set. The base set of a kernel with fewer
// registers holds all of them.
func inspectRegMutex(a *app.App, kernels []inspected, base int, format string) error {
	out := []mutexJSON{}
	for _, k := range kernels {
		p, err := regmutex.New(k.Kernel, min(base, k.NumRegs))
		if err != nil {
			return err
		}
		out = append(out, mutexJSON{Kernel: k.Name, Base: p.Base, Shared: p.Shared, Instructions: len(k.Insts),
			Held:    p.Held(),
			Acquire: append([]int{}, p.Acquire...), Release: append([]int{}, p.Release...),
			Barriers: append([]int{}, p.Barriers...)})
	}
	if format == "json" {
		return app.WriteJSON(a.Stdout, out)
	}
	t := app.NewTable(a.Stdout)
	t.Row("kernel", "base", "shared", "instructions", "held at", "acquire before", "release before",
		"barriers while held")
	pcs := func(v []int) string { return strings.Trim(fmt.Sprint(v), "[]") }
	for _, m := range out {
		t.Row(app.KernelName(m.Kernel), m.Base, m.Shared, m.Instructions, m.Held, pcs(m.Acquire), pcs(m.Release),
			pcs(m.Barriers))
	}
	return t.Flush()
}
