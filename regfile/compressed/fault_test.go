package compressed

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/contracttest"
)

// faulty builds a file whose compressors or decompressors have a fault.
func faulty(env *regfile.Env, s *Spec, fault func(*Compressors, *Decompressors)) (regfile.Design, error) {
	f, err := NewFile(env, *s)
	if err == nil {
		for i := range f.compressors {
			fault(f.compressors[i], f.decompressors[i])
		}
	}
	return f, err
}

// The check of forms, and that of operands, find a wrong form and a wrong value.
func TestFaultsAreFound(t *testing.T) {
	s := Default()
	contracttest.Faults(t, regfile.Kind{Name: "compressed", Values: true}, faulty, s,
		func(*Compressors, *Decompressors) {},
		map[string]func(*Compressors, *Decompressors){
			"larger differences than forms have room for": func(c *Compressors, _ *Decompressors) {
				wire.OnPop(&c.Result, func(_ wire.Cycle, a *bank.Access) {
					if i := len(c.queue) - 1; i >= 0 && c.queue[i].form == byHalf {
						c.queue[i].form = byByte
					}
				})
			},
			"a register keeps its form": func(c *Compressors, _ *Decompressors) {
				wire.OnPop(&c.Request, func(_ wire.Cycle, r *bank.Request) {
					if i := c.entryIndex(r.Warp, r.Reg[0]); c.forms[i] == full && r.Tag%4 == 0 && c.held[i] {
						c.forms[i] = equal
					}
				})
			},
			"a lane is decompressed wrongly": func(_ *Compressors, d *Decompressors) {
				wire.OnPop(&d.Ends[0], func(_ wire.Cycle, v *bank.Value) {
					if i := len(d.waiting) - 1; i >= 0 && d.waiting[i].Slot>>formShift == uint8(byByte) {
						d.waiting[i].Content = d.waiting[i].Content.Write(0, 1<<7)
					}
				})
			},
		})
}
