package inspect

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/components/bank"
	"kumiko/gpus/config"
	"kumiko/kernel/cubin"
	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

type listingJSON struct {
	Kernel string `json:"kernel"`
	// Assembler is that of machine code, with its version.
	Assembler    string     `json:"assembler,omitempty"`
	Instructions []codeLine `json:"instructions"`
}

// codeLine is one instruction.
type codeLine struct {
	PC          int            `json:"pc"`
	Address     *int           `json:"address,omitempty"` // of machine code
	Labels      []string       `json:"labels,omitempty"`
	Control     string         `json:"control,omitempty"`
	Instruction string         `json:"instruction"`
	Line        int            `json:"line,omitempty"` // of the source
	Reads       []bankRegister `json:"reads"`
	Writes      []bankRegister `json:"writes"`
}

// bankRegister is a register, with its bank if the GPU numbers registers through banks.
type bankRegister struct {
	Register int  `json:"register"`
	Bank     *int `json:"bank,omitempty"`
}

func (r bankRegister) String() string {
	if r.Bank == nil {
		return fmt.Sprintf("R%d", r.Register)
	}
	return fmt.Sprintf("R%d:%d", r.Register, *r.Bank)
}

// inspectListing prints the instructions of each kernel with their control words and the banks of their registers.
func inspectListing(a *app.App, kernels []inspected, cfg *config.Config, format string) error {
	var index *bank.Index
	if file := regfile.SpecOf[conventional.Spec](cfg.RegFile.Behind()); file != nil {
		var err error
		if index, err = file.Index(cfg.SM.WarpContexts(), cfg.SM.MaxRegs+1, cfg.SM.Schedulers); err != nil {
			return err
		}
	}
	out := []listingJSON{}
	for i := range kernels {
		l, err := listingOf(&kernels[i], cfg, index)
		if err != nil {
			return err
		}
		out = append(out, l)
	}
	if format == "json" {
		return app.WriteJSON(a.Stdout, out)
	}
	for i := range out {
		if i > 0 {
			fmt.Fprintln(a.Stdout)
		}
		if err := printListing(a, &out[i], index != nil); err != nil {
			return err
		}
	}
	return nil
}

func listingOf(k *inspected, cfg *config.Config, index *bank.Index) (listingJSON, error) {
	out := listingJSON{Kernel: k.Name, Assembler: k.report.By}
	machine, err := machineCode(k, cfg)
	if err != nil {
		return out, err
	}
	if index != nil {
		index.Registers(k.NumRegs)
	}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		c := codeLine{PC: pc, Instruction: in.String(), Line: int(in.Line), Reads: banked(in.T.Src[:in.T.NSrc], index),
			Writes: banked(in.T.Dst[:in.T.NDst], index)}
		if in.Control.Set {
			c.Control = in.Control.String()
		}
		if machine != nil {
			from := &machine.Insts[pc]
			c.Address, c.Instruction, c.Line, c.Labels = &from.Address, from.Text, 0, labelsAt(machine, pc)
		}
		out.Instructions = append(out.Instructions, c)
	}
	return out, nil
}

// machineCode returns the listing of a kernel of machine code, nil for code of this project's compiler. The assembler
// keeps the code that the kernel was made of.
func machineCode(k *inspected, cfg *config.Config) (*listing.Function, error) {
	if cfg.Compiler.Arch() == 0 || k.report.By == "" {
		return nil, nil
	}
	r := cubin.Request{Arch: cfg.Compiler.Arch(), Module: k.launched.Module, Kernel: k.Name,
		Registers: k.launched.Registers}
	for {
		f, err := cubin.Assembled(r)
		if err != nil {
			return nil, err
		}
		read, err := listing.Read(k.File, f.Listing())
		if err != nil {
			return nil, err
		}
		fn := read.Function(k.Name)
		if f.Hash == k.report.Hash {
			return fn, nil
		}
		if r.Registers == cfg.SM.MaxRegs {
			return nil, fmt.Errorf("%s: kernel %s: the code changed while it was read", k.File, k.Name)
		}
		r.Registers = cfg.SM.MaxRegs // it needs more than a thread has
	}
}

func labelsAt(f *listing.Function, at int) (out []string) {
	for name, n := range f.Labels {
		if n == at && name != f.Name {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// banked returns registers with their banks of warp context 0, each once.
func banked(regs []ir.RegID, index *bank.Index) []bankRegister {
	out := []bankRegister{}
	for _, r := range regs {
		if slices.ContainsFunc(out, func(b bankRegister) bool { return b.Register == int(r) }) {
			continue
		}
		b := bankRegister{Register: int(r)}
		if index != nil {
			n, _ := index.Find(0, r)
			at := int(n)
			b.Bank = &at
		}
		out = append(out, b)
	}
	return out
}

func printListing(a *app.App, l *listingJSON, banks bool) error {
	by, of := "", ""
	if l.Assembler != "" {
		by = ", by " + l.Assembler
	}
	if banks {
		of = "; R3:1 is R3 in bank 1, of warp 0"
	}
	fmt.Fprintf(a.Text(), "%s: %d instructions%s%s\n", app.KernelName(l.Kernel), len(l.Instructions), by, of)
	t := app.NewTable(a.Stdout)
	place := "line"
	if l.Assembler != "" {
		place = "address"
	}
	t.Row("pc", place, "control", "writes", "reads", "instruction")
	for i := range l.Instructions {
		c := &l.Instructions[i]
		for _, label := range c.Labels {
			t.Row("", "", "", "", "", label+":")
		}
		at := fmt.Sprint(c.Line)
		if c.Address != nil {
			at = fmt.Sprintf("%04x", *c.Address)
		} else if c.Line == 0 {
			at = "" // made by a pass
		}
		t.Row(c.PC, at, c.Control, registersText(c.Writes), registersText(c.Reads), c.Instruction)
	}
	return t.Flush()
}

func registersText(regs []bankRegister) string {
	var out []string
	for _, r := range regs {
		out = append(out, r.String())
	}
	return strings.Join(out, " ")
}
