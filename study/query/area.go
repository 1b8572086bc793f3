package query

import (
	"fmt"
	"math"
	"slices"

	"kumiko/gpus/area"
	"kumiko/gpus/result"
	"kumiko/regfile"
)

func init() {
	Register(Function{Name: "area", Args: "variant, block, what",
		Doc: "mm^2 per SM of the state that storage counts, in 45 nm (energy.md); an empty block or what selects " +
			"all, and the block apart the state that the paper of the design does not count",
		Bind: func(c *Context) any { return c.area }})
}

// apart is the name for the blocks that the papers do not count.
const apart = "apart"

func (c *Context) area(variant, block, what string) (float64, error) {
	r, err := c.Any(variant)
	if r == nil {
		return math.NaN(), err
	}
	if len(r.Storage) > 0 && !slices.ContainsFunc(r.Storage, func(s regfile.State) bool { return s.Kind != "" }) {
		return 0, fmt.Errorf("variant %s: the records are of a version that kept no shapes of arrays, expected "+
			"records of kumiko study run with this one", variant)
	}
	a, err := area.Builtin().Of(r.Storage)
	if err != nil {
		return 0, fmt.Errorf("variant %s: %w", variant, err)
	}
	mm2, found := 0.0, block == apart || block == "" && what == ""
	for i := range a.Rows {
		if x := &a.Rows[i]; selects(x, block, what) {
			mm2 += x.UM2 / 1e6
			found = true
		}
	}
	if !found && !c.Swapped(variant) {
		return 0, fmt.Errorf("variant %s reports no area of block %q, %q", variant, block, what)
	}
	return mm2, nil
}

// selects reports whether a row is of a block and of what it stores.
func selects(x *result.AreaRow, block, what string) bool {
	of := block == "" || x.Block == block || block == apart && x.Apart
	return of && (what == "" || x.What == what)
}
