package inspect

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/components/bank"
	"kumiko/gpus/config"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

type banksJSON struct {
	Kernel string `json:"kernel"`
	Index  string `json:"index"` // the policy
	Banks  int    `json:"banks"` // distinguishable banks of a sub-core
	// Registers of each bank, of warp context 0.
	Registers [][]int `json:"registers"`
	// Spread is the number of banks used by a register over all warps of one scheduler.
	Spread int `json:"spread"`
	// The counts are of warp context 0. Several counts instructions with two or more different source registers,
	// Conflicting counts instructions with two of these in one bank. Extra is the number of reads beyond the first
	// of each bank.
	Several     int            `json:"several"`
	Conflicting int            `json:"conflicting"`
	Extra       int            `json:"extra"`
	Conflicts   []conflictJSON `json:"conflicts"`
}

type conflictJSON struct {
	PC          int    `json:"pc"`
	Line        int    `json:"line"` // of the source
	Instruction string `json:"instruction"`
	Registers   []int  `json:"registers"` // registers of the fullest bank
	Bank        int    `json:"bank"`
}

// inspectBanks prints the mapping of registers to the banks of a GPU, and the instructions with operands in one
// bank.
func inspectBanks(a *app.App, kernels []inspected, cfg *config.Config, format string) error {
	file := regfile.SpecOf[conventional.Spec](cfg.RegFile.Behind())
	if file == nil {
		return fmt.Errorf("--banks: the register file %s of %s has no banks that registers are numbered through; "+
			"kumiko probe times instructions on it, and names the one that had the port", cfg.RegFile.Kind, cfg.Name)
	}
	warps := cfg.SM.WarpContexts()
	index, err := file.Index(warps, cfg.SM.MaxRegs+1, cfg.SM.Schedulers)
	if err != nil {
		return err
	}
	out := []banksJSON{}
	for _, k := range kernels {
		index.Registers(k.NumRegs)
		out = append(out, banksOf(k, index, file, cfg.SM.Schedulers, warps))
	}
	if format == "json" {
		return app.WriteJSON(a.Stdout, out)
	}
	for i, b := range out {
		if i > 0 {
			fmt.Fprintln(a.Stdout)
		}
		if err := printBanks(a, &b); err != nil {
			return err
		}
	}
	return nil
}

func banksOf(k inspected, index *bank.Index, file *conventional.Spec, schedulers, warps int) banksJSON {
	b := banksJSON{Kernel: k.Name, Index: file.BankIndex, Banks: index.Banks(), Conflicts: []conflictJSON{}}
	b.Registers = make([][]int, b.Banks)
	for r := range k.NumRegs {
		n, _ := index.Find(0, ir.RegID(r))
		b.Registers[n] = append(b.Registers[n], r)
	}
	seen := map[uint8]bool{}
	for w := 0; w < warps; w += schedulers {
		n, _ := index.Find(uint16(w), 0)
		seen[n] = true
	}
	b.Spread = len(seen)
	for pc := range k.Insts {
		in := &k.Insts[pc]
		var read []int
		at := make([][]int, b.Banks)
		for _, r := range in.T.Src[:in.T.NSrc] {
			if slices.Contains(read, int(r)) {
				continue
			}
			read = append(read, int(r))
			n, _ := index.Find(0, r)
			at[n] = append(at[n], int(r))
		}
		if len(read) < 2 {
			continue
		}
		b.Several++
		fullest := 0
		for n := range at {
			b.Extra += max(0, len(at[n])-1)
			if len(at[n]) > len(at[fullest]) {
				fullest = n
			}
		}
		if len(at[fullest]) > 1 {
			b.Conflicting++
			b.Conflicts = append(b.Conflicts, conflictJSON{PC: pc, Line: int(in.Line), Instruction: in.String(),
				Registers: at[fullest], Bank: fullest})
		}
	}
	return b
}

func printBanks(a *app.App, b *banksJSON) error {
	fmt.Fprintf(a.Stdout, "%s: %d banks per sub-core, index %s; a register of the warps of one scheduler lies in %d "+
		"of them\n", app.KernelName(b.Kernel), b.Banks, b.Index, b.Spread)
	t := app.NewTable(a.Stdout)
	t.Row("bank", "registers of warp 0")
	for n, regs := range b.Registers {
		t.Row(n, registerList(regs))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.Stdout, "\n%d of %d instructions that read several registers read one bank twice: %d reads more "+
		"than banks\n", b.Conflicting, b.Several, b.Extra)
	if len(b.Conflicts) == 0 {
		return nil
	}
	t = app.NewTable(a.Stdout)
	t.Row("PC", "line", "bank", "registers", "instruction")
	for _, c := range b.Conflicts {
		t.Row(c.PC, c.Line, c.Bank, registerList(c.Registers), c.Instruction)
	}
	return t.Flush()
}

func registerList(regs []int) string {
	var out []string
	for _, r := range regs {
		out = append(out, fmt.Sprintf("R%d", r))
	}
	return strings.Join(out, " ")
}
