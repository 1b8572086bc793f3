package inspect

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/machinesvg"
	"kumiko/gpus"
	"kumiko/gpus/chip"
	"kumiko/gpus/config"
	"kumiko/gpus/diagnose"
)

// structure is the JSON form of a machine.
type structure struct {
	GPU        string `json:"gpu"`
	Design     string `json:"design"`
	ConfigHash string `json:"config_hash"`
	SMs        int    `json:"sms"` // number on the chip; the blocks are of SM 0
	chip.Structure
}

// inspectMachine shows the assembled and connected blocks of the chip and of its first SM.
func inspectMachine(a *app.App, r *config.Request, format string) error {
	if a.New == nil {
		return errors.New("this program assembles no machines")
	}
	cfg, err := config.Load(*r)
	if err != nil {
		return diagnose.Explain(*r, err, diagnose.Flags)
	}
	m, err := a.New(cfg, gpus.Options{})
	if err != nil {
		return diagnose.Explain(*r, err, diagnose.Flags)
	}
	s, err := m.Structure(0)
	if err != nil {
		return err
	}
	switch format {
	case "json":
		return app.WriteJSON(a.Stdout, structure{cfg.Name, cfg.Design, cfg.Hash(), cfg.SM.Count, s})
	case "dot":
		return machineDot(a.Text(), cfg, &s)
	case "svg":
		return machinesvg.Write(a.Stdout, cfg, &s)
	}
	return machineText(a.Text(), cfg, &s)
}

func machineText(w io.Writer, cfg *config.Config, s *chip.Structure) error {
	fmt.Fprintf(w, "%s, %s: SM 0 of %d, and the chip\n\n", app.Quoted(cfg.Name), cfg.Design, cfg.SM.Count)
	links := map[string][]chip.Link{}
	for _, l := range s.Links {
		links[l.From] = append(links[l.From], l)
	}
	t := app.NewTable(w)
	t.Row("block", "kind", "clock", "output", "to", "message", "latency")
	for _, b := range s.Blocks {
		name, kind, clock := b.Name, b.Kind, machinesvg.Megahertz(b.Clock)
		if len(links[b.Name]) == 0 {
			t.Row(name, kind, clock)
		}
		for _, l := range links[b.Name] {
			t.Row(name, kind, clock, l.Port, l.To+"."+l.Input, l.Message, l.Latency)
			name, kind, clock = "", "", ""
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := stateText(w, s); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d blocks, %d links; latencies are cycles of the block's clock\n", len(s.Blocks),
		len(s.Links))
	return err
}

// machineDot draws the blocks, grouped by SM and sub-core. Links of one message type between two blocks are drawn
// as one arrow.
func machineDot(w io.Writer, cfg *config.Config, s *chip.Structure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph machine {\n  label=%q; labelloc=t; rankdir=LR; newrank=true;\n  node [shape=box, "+
		"style=filled, fillcolor=white, fontname=\"Helvetica\", fontsize=10];\n  edge [fontname=\"Helvetica\", "+
		"fontsize=8];\n",
		fmt.Sprintf("%s, %s: SM 0 of %d, and the chip", cfg.Name, cfg.Design, cfg.SM.Count))
	tree := &box{}
	clock := map[string]float64{}
	for _, block := range s.Blocks {
		tree.add(strings.Split(block.Name, "."), block)
		clock[block.Name] = block.Clock
	}
	tree.print(&b, "  ", "")
	type arrow struct {
		from, to, message string
		latency           uint64
	}
	count := map[arrow]int{}
	var order []arrow
	for _, l := range s.Links {
		k := arrow{l.From, l.To, l.Message, l.Latency}
		if count[k] == 0 {
			order = append(order, k)
		}
		count[k]++
	}
	for _, k := range order {
		label := k.message
		if count[k] > 1 {
			label = fmt.Sprintf("%d x %s", count[k], label)
		}
		if k.latency != 1 {
			label += fmt.Sprintf(", %d cycles", k.latency)
		}
		if clock[k.from] != clock[k.to] {
			label += " at " + machinesvg.Megahertz(clock[k.from])
		}
		fmt.Fprintf(&b, "  %q -> %q [label=%q];\n", k.from, k.to, label)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// box is a node of the names' hierarchy: blocks and inner boxes.
type box struct {
	name   string
	blocks []chip.Block
	inner  []*box
}

func (x *box) add(path []string, b chip.Block) {
	if len(path) == 1 {
		x.blocks = append(x.blocks, b)
		return
	}
	for _, in := range x.inner {
		if in.name == path[0] {
			in.add(path[1:], b)
			return
		}
	}
	in := &box{name: path[0]}
	x.inner = append(x.inner, in)
	in.add(path[1:], b)
}

func (x *box) print(b *strings.Builder, indent, prefix string) {
	for _, n := range x.blocks {
		short := strings.TrimPrefix(n.Name, prefix)
		label := short + "\n" + n.Kind
		if len(n.Parts) > 0 {
			label += "\n" + machinesvg.Parts(n.Parts)
		}
		fmt.Fprintf(b, "%s%q [label=%q];\n", indent, n.Name, label)
	}
	for _, in := range x.inner {
		fmt.Fprintf(b, "%ssubgraph \"cluster %s%s\" {\n%s  label=%q; style=rounded; color=gray;\n", indent, prefix,
			in.name, indent, in.name)
		in.print(b, indent+"  ", prefix+in.name+".")
		fmt.Fprintf(b, "%s}\n", indent)
	}
}

// programOrMachine requires a program, or a flag that chooses a GPU.
func programOrMachine(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		for _, name := range []string{"gpu", "design", "set"} {
			if c.Flags().Changed(name) {
				return nil
			}
		}
	}
	return app.Exactly("PROGRAM")(c, args)
}
