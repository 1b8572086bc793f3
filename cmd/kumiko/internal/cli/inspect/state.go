package inspect

import (
	"fmt"
	"io"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/machinesvg"
	"kumiko/gpus/chip"
)

// stored identifies a field of blocks, or of parts of blocks. Names differing only in numbers are merged.
type stored struct{ block, part, field, row string }

// stateText lists the storage of the blocks.
func stateText(w io.Writer, s *chip.Structure) error {
	type sum struct{ n, entries, bits int }
	of := map[stored]*sum{}
	var order []stored
	total := 0
	for i := range s.Blocks {
		b := &s.Blocks[i]
		total += b.Bits()
		for _, f := range b.State {
			k := stored{machinesvg.Unnumbered(b.Name), machinesvg.Unnumbered(f.Part), f.Name, f.Row}
			if of[k] == nil {
				of[k] = &sum{}
				order = append(order, k)
			}
			x := of[k]
			x.n, x.entries, x.bits = x.n+1, x.entries+f.Entries, x.bits+f.Bits
		}
	}
	t := app.NewTable(w)
	t.Row("blocks", "part", "field", "of these", "entries", "bits")
	for _, k := range order {
		x := of[k]
		if k.row != "" {
			t.Row(k.block, k.part, k.field, x.n, x.entries, "storage: "+k.row)
		} else {
			t.Row(k.block, k.part, k.field, x.n, x.entries, x.bits)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d bits beside the storage that the design reports, and beside data\n\n", total)
	return err
}
