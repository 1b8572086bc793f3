package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/gpus/probe"
	"kumiko/internal/infile"
	"kumiko/kernel/cuasm"
	"kumiko/kernel/ir"
)

// probeFlags are the flags of kumiko probe.
type probeFlags struct {
	gpu     *config.Request
	spec    probe.Spec
	compare string
	json    string
	svg     string
	words   string // machine for control words; "": none are made
}

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "probe FILE",
		Short: "Measure what a few machine instructions cost",
		Long: `Run a short sequence of machine instructions over and over on one SM, and say what it costs.

FILE has SASS in the notation of CuAssembler or maxas, one instruction in a line; -: standard input.
A straight line is repeated without a branch, with its instructions at hand. A sequence with a label and a branch back to
it is a loop, of which --repeat passes run, fetched as the GPU does; a repetition is a pass, and what stands before and
behind the loop runs once. The lines that loads and stores access are at hand.

The cost of a repetition is the time in which the warps of one sub-core issue one: with many warps the inverse of the
throughput, with one warp the latency. Below it stands the life of each instruction of one repetition of warp 0 in the
steady state, in cycles from the issue of the first.

Flags of reuse (R2.reuse) are obeyed by register files that have a reuse cache. Stall counts, yields and dependence
counters of control words are obeyed with --set sched.dependences=control; with --check, control words that let an
instruction read too early are found. Otherwise scoreboards keep instructions from issuing. --auto-control makes the
words of a sequence that has none, as the compiler would for the GPU or for the machine that is named, and has them
obeyed.`,
		Example: `  kumiko probe ffma.sass --gpu gtx980-sm52 --warps 16
  kumiko probe ffma.sass --gpu gtx980-sm52 --warps 16 --compare gtx980
  echo 'FFMA R1, R1, R2, R3;' | kumiko probe - --warps 1 --json -
  kumiko probe ffma.sass --gpu gtx980-sm52 --set sched.dependences=control --check
  echo 'FFMA R1, R1, R2, R3;' | kumiko probe - --gpu gtx980-sm52 --auto-control --check`,
		Args: app.Exactly("FILE"),
	}
	f := probeFlags{gpu: app.GPUFlags(c)}
	c.Flags().IntVar(&f.spec.Warps, "warps", 16, "warps of the SM")
	c.Flags().IntVar(&f.spec.Repeat, "repeat", 200, "repetitions by each warp, or passes of a loop")
	stride := c.Flags().Int("stride", 0, "bytes from the address of a lane to that of the next one, where a register "+
		"has them (default: as many as a lane accesses)")
	c.Flags().IntVar(&f.spec.Block, "block", 0, "lanes that access places side by side in global memory; "+
		"--stride is then from the first of these to the first of the next")
	c.Flags().IntVar(&f.spec.Phases, "phases", 1,
		"average over so many ways in which the warps begin: all at once, and each up to 15 cycles later")
	c.Flags().BoolVar(&f.spec.Check, "check", false, "check that every operand is the newest value written")
	c.Flags().StringVar(&f.compare, "compare", "", "show beside it what the sequence costs on this GPU")
	c.Flags().StringVar(&f.json, "json", "",
		"write the result as JSON to this file; -: to standard output, and nothing else there")
	c.Flags().StringVar(&f.svg, "svg", "", "draw the life of the instructions to this file")
	c.Flags().StringVar(&f.words, "auto-control", "",
		"make the control words of a sequence without any, and obey them: for the GPU, or =sm_52, =sm_75, "+
			"=sm_86 or =sm_90")
	c.Flags().Lookup("auto-control").NoOptDefVal = probe.OfGPU
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := app.Nameless(c, "json", "svg", "compare"); err != nil {
			return err
		}
		if c.Flags().Changed("stride") {
			f.spec.Stride = stride
		}
		return measure(a.Heed(c), a, c.InOrStdin(), args[0], &f)
	}
	return c
}

// outputs returns the files that kumiko probe reads and writes.
func (f *probeFlags) outputs(file string) *app.Outputs {
	o := &app.Outputs{}
	if file != "-" {
		o.Reads(file, "the sequence")
	}
	o.Reads(f.gpu.GPU, "--gpu "+f.gpu.GPU)
	o.Reads(f.compare, "--compare "+f.compare)
	if f.json != "-" {
		o.File(f.json, "--json "+f.json)
	}
	o.File(f.svg, "--svg "+f.svg)
	return o
}

// measure measures a sequence on one GPU, or on two.
func measure(ctx context.Context, a *app.App, stdin io.Reader, file string, f *probeFlags) error {
	if err := f.outputs(file).Check(); err != nil {
		return err
	}
	code, loop, lines, err := sequence(stdin, file)
	if err != nil {
		return err
	}
	if err := app.PlaceOf("--svg", f.svg); err != nil {
		return err
	}
	f.spec.Context, f.spec.File, f.spec.Loop = ctx, file, loop
	requests := []config.Request{*f.gpu}
	if f.compare != "" {
		requests = append(requests, config.Request{GPU: f.compare})
	}
	var results []*probe.Result
	for i, r := range requests {
		r.Base = probe.Settings(code)
		if loop != nil {
			r.Base = probe.LoopSettings(code)
		}
		if f.words != "" && i == 0 {
			r.Base = append(r.Base, probe.Controlled)
		}
		cfg, err := config.Load(r)
		if err != nil {
			return err
		}
		if f.words != "" && i == 0 {
			if code, f.spec.Loop, err = probe.Words(cfg, code, loop, f.words); err != nil {
				return fmt.Errorf("%s:%w", file, err)
			}
		}
		f.spec.Fitted = f.words != "" && i == 0
		res, err := probe.Run(cfg, code, lines, f.spec)
		if err != nil {
			if _, ok := errors.AsType[*probe.RefusedError](err); ok {
				return fmt.Errorf("%s:%w", file, err)
			}
			return err
		}
		results = append(results, res)
	}
	return reportProbe(a, results, f)
}

// sequence reads a file, or standard input. It returns the instructions, their loop, and the lines of text.
func sequence(stdin io.Reader, file string) ([]ir.Inst, *probe.Loop, []string, error) {
	var text []byte
	var err error
	if file == "-" {
		text, err = io.ReadAll(io.LimitReader(stdin, maxSequence+1))
		if len(text) > maxSequence {
			err = fmt.Errorf("standard input: found more than %d bytes, expected a short sequence", maxSequence)
		}
	} else {
		text, err = infile.Read(file)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	sections, err := cuasm.Read(file, text)
	switch {
	case err != nil:
		return nil, nil, nil, err
	case len(sections) == 0:
		return nil, nil, nil, fmt.Errorf("%s: found no instruction, expected a sequence such as FFMA R1, R2, R3, R4;",
			file)
	case len(sections) > 1:
		return nil, nil, nil, fmt.Errorf("%s: found %d sections, expected one sequence", file, len(sections))
	}
	loop, err := probe.FindLoop(&sections[0])
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s:%w", file, err)
	}
	return sections[0].Insts, loop, strings.Split(string(text), "\n"), nil
}

// maxSequence limits the bytes read from standard input.
const maxSequence = 1 << 20

func reportProbe(a *app.App, results []*probe.Result, f *probeFlags) error {
	if f.svg != "" {
		p, err := app.CreatePending(f.svg)
		if err != nil {
			return fmt.Errorf("--svg: %w", err)
		}
		defer p.Drop()
		if err := probe.Draw(p, results); err != nil {
			return err
		}
		if err := p.Keep(); err != nil {
			return err
		}
	}
	switch f.json {
	case "":
		return probeText(a, results)
	case "-":
		return app.WriteJSON(a.Stdout, document(results))
	}
	write := func(w io.Writer) error { return app.WriteJSON(w, document(results)) }
	if err := app.WriteFile(f.json, write); err != nil {
		return err
	}
	return probeText(a, results)
}

// document returns the single result, or both results as a list.
func document(results []*probe.Result) any {
	if len(results) == 1 {
		return results[0]
	}
	return results
}

func probeText(a *app.App, results []*probe.Result) error {
	for i, r := range results {
		if i > 0 {
			fmt.Fprintln(a.Stdout)
		}
		fmt.Fprintf(a.Stdout, "%s, %s: %.1f cycles per repetition; %d warps, %d repetitions each\n", r.GPU,
			r.Design, r.Cycles, r.Warps, r.Repeat)
		if r.Phases > 1 {
			fmt.Fprintf(a.Stdout, "mean of %d phases, the fastest with %.1f cycles and the slowest with %.1f\n",
				r.Phases, r.Least, r.Most)
		}
		if r.Words != nil && !*r.Words {
			fmt.Fprintln(a.Stdout, "control words are not obeyed, but for reuse flags; to obey them: --set "+
				probe.Controlled)
		}
		fmt.Fprintf(a.Stdout, "%.1f registers read from banks per repetition", r.Reads)
		if r.ReuseHits != nil {
			fmt.Fprintf(a.Stdout, ", %.1f from the reuse cache", *r.ReuseHits)
		}
		fmt.Fprint(a.Stdout, "\n\n")
		t := app.NewTable(a.Stdout)
		control := slices.ContainsFunc(r.Instructions, func(x probe.Instruction) bool { return x.Control != "" })
		head := []any{"line", "instruction", "issue", "collect", "ready", "execute", "write", "end", "waits for banks",
			"for the crossbar"}
		if control {
			head = append(head, "control word")
		}
		t.Row(head...)
		for _, x := range r.Instructions {
			cells := []any{x.Line, x.Text}
			for _, at := range x.Stages {
				if at < 0 {
					cells = append(cells, "-")
				} else {
					cells = append(cells, at)
				}
			}
			cells = append(cells, x.End, conflicts(&x), x.Crossbar)
			if control {
				cells = append(cells, x.Control)
			}
			t.Row(cells...)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// conflicts returns the cycles an instruction waited for banks. If the register file reports them, it adds each
// bank, the instruction using the port, and the number of these cycles.
func conflicts(x *probe.Instruction) string {
	out := strconv.Itoa(x.Bank)
	for i, c := range x.Conflicts {
		sep, who := ", ", fmt.Sprintf("line %d", c.Line)
		if i == 0 {
			sep = ": "
		}
		switch {
		case c.Warp != 0:
			who += fmt.Sprintf(" of warp %d", c.Warp)
		case c.Line == x.Line:
			who = "itself"
		}
		out += fmt.Sprintf("%sbank %d, %s (%d)", sep, c.Bank, who, c.Cycles)
	}
	return out
}
