package forward_test

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/forward"
	"kumiko/kernel/stream"
)

// Each load of the warps has the number of its access as its value.
func TestTheValuesOfAMovedCTAAreThoseOfItsInstructions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := kernel(rapid.Bool().Draw(t, "barriers"))
		k.Insts[2].T.NDst = 1
		c := &stream.CTA{Kernel: k}
		for i := range rapid.IntRange(1, 3).Draw(t, "warps") {
			c.Warps = append(c.Warps, warp(rapid.SliceOfN(rapid.IntRange(0, 6), 20, 20).Draw(t, "inner")))
			c.Values = append(c.Values, make([]stream.Value, len(c.Warps[i].Accesses)))
			for a := range c.Values[i] {
				c.Values[i][a] = stream.Value(a)
			}
		}
		f := forward.New(c)
		ahead(t, c, f, make([]int, len(c.Warps)))
		for i := range f.Warps {
			var at stream.Cursor
			at.Start(k, &f.Warps[i])
			var values stream.ValueCursor
			values.Start(f.CTA, i)
			for d := (stream.Dyn{}); at.Next(&d); {
				in, v := values.Next()
				if in != d.Inst || len(v) != int(in.T.NDst) {
					t.Fatalf("warp %d: instruction %d has the values %v of another", i, d.PC, v)
				}
				if len(v) > 0 && v[0] != stream.Value(d.Access.Base) {
					t.Fatalf("warp %d: load %d has value %d", i, d.Access.Base, v[0])
				}
			}
			if in, _ := values.Next(); in != nil {
				t.Fatalf("warp %d: the values go on behind its end", i)
			}
		}
	})
}
