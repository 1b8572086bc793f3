package inspect

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/internal/nearest"
	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/sass"
)

// traced returns the kernels recovered from traces, each once.
func traced(program, kernel string, lim sass.Limits) ([]inspected, error) {
	list, err := sass.OpenList(program)
	if err != nil {
		return nil, err
	}
	var out []inspected
	var names []string
	seen := map[[sha256.Size]byte]bool{}
	for _, c := range list.Commands {
		if c.Trace == "" {
			continue
		}
		l, err := sass.Load(c.Trace, sass.Options{Limits: lim})
		if err != nil {
			return nil, err
		}
		names = append(names, l.Name)
		if code := l.Code(); seen[code] || kernel != "" && !launch.Named(l.Name, kernel) {
			continue
		} else {
			seen[code] = true
		}
		out = append(out, inspected{Kernel: l.Kernel, report: tracedReport(l.Kernel, l.Registers), trace: &l.Report,
			file: c.Trace})
	}
	if kernel != "" && len(out) == 0 {
		return nil, fmt.Errorf("%s: no kernel %q; expected one of %s%s", list.File, kernel, strings.Join(names, ", "),
			nearest.Hint(kernel, names))
	}
	return out, nil
}

// tracedReport returns the register figures of a recovered kernel: the number stated by the
// trace, and the results of liveness.
func tracedReport(k *ir.Kernel, registers int) compiler.Report {
	r := compiler.Report{Kernel: k.Name, Used: registers, Alloc4: (registers + 3) / 4 * 4,
		AllocHW: (registers + 7) / 8 * 8}
	info := liveness.Analyze(k, cfg.Build(k.Insts))
	for _, v := range info.Vectors() {
		r.MaxLive = max(r.MaxLive, len(info.Registers(v)))
	}
	preds := uint32(0)
	for i := range k.Insts {
		preds |= k.Insts[i].T.SrcPreds | k.Insts[i].T.DstPreds
	}
	for ; preds != 0; preds &= preds - 1 {
		r.Predicates++
	}
	return r
}

// traceJSON is the JSON form of a trace's kernel: the register figures and further figures of the trace.
type traceJSON struct {
	compiler.Report
	Trace *traceFigures `json:"trace"`
}

type traceFigures struct {
	File             string   `json:"file"`
	Instructions     int      `json:"instructions"` // static, seen
	WarpInstructions uint64   `json:"warp_instructions"`
	Guards           int      `json:"inferred_guards"`
	Branches         int      `json:"inferred_branches"`
	OneWay           int      `json:"one_way_branches"`
	Inferred         float64  `json:"inferred_share"`
	Recorded         bool     `json:"recorded"` // the file holds its program: nothing is inferred
	Unknown          []string `json:"unknown_opcodes"`
}

// tracedJSON returns the JSON object of a recovered kernel for inspect --registers.
func tracedJSON(k *inspected) traceJSON {
	t := k.trace
	f := &traceFigures{File: k.file, Instructions: t.Static, WarpInstructions: t.WarpInstructions,
		Inferred: t.Inferred(), Recorded: t.Own, Unknown: []string{}}
	if !t.Own {
		f.Guards, f.Branches, f.OneWay = t.Guards, t.Branches, t.OneWay
	}
	for _, u := range t.Unknown {
		f.Unknown = append(f.Unknown, u.Opcode)
	}
	return traceJSON{k.report, f}
}

// inspectTraces prints the inferred facts about recovered kernels.
func inspectTraces(a *app.App, kernels []inspected) {
	for i := range kernels {
		k := &kernels[i]
		if k.trace == nil {
			continue
		}
		t := k.trace
		if t.Own {
			fmt.Fprintf(a.Text(), "\n%s: recorded with its program of %d instructions, nothing is inferred\n",
				app.Quoted(k.file), t.Static)
			continue
		}
		fmt.Fprintf(a.Text(), "\n%s: %d instructions seen in %d executions; inferred for %.0f %% of them: %d guards "+
			"and the targets of %d branches, %d of which were seen to go one way only\n",
			app.Quoted(k.file), t.Static, t.WarpInstructions, 100*t.Inferred(), t.Guards, t.Branches, t.OneWay)
		for _, u := range t.Unknown {
			fmt.Fprintf(a.Text(), "%s:%d: the opcode %s is not known (%d executions)\n", app.Quoted(k.file), u.Line,
				app.Quoted(u.Opcode), u.Count)
		}
	}
}
