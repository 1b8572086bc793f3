package contracttest

import (
	"fmt"
	"strings"

	"kumiko/components/version"
)

// operands reports each wrong operand in a line. Lanes wrong in the same way are shown as a mask.
func operands(list []version.Violation) []string {
	var out []string
	for len(list) > 0 {
		n := 1
		for n < len(list) && sameOperand(&list[n-1], &list[n]) {
			n++
		}
		out = append(out, operand(list[:n]))
		list = list[n:]
	}
	return out
}

// sameOperand reports whether b, the violation after a in a checker's list, concerns the same operand. The lanes of
// an operand are listed in order.
func sameOperand(a, b *version.Violation) bool {
	return a.Block == b.Block && a.Cycle == b.Cycle && a.Warp == b.Warp && a.Register == b.Register && a.Lane < b.Lane
}

func operand(lanes []version.Violation) string {
	type wrong struct{ expected, found uint32 }
	masks := map[wrong]uint32{}
	var order []wrong
	for i := range lanes {
		w := wrong{lanes[i].Expected, lanes[i].Found}
		if masks[w] == 0 {
			order = append(order, w)
		}
		masks[w] |= 1 << lanes[i].Lane
	}
	var parts []string
	for _, w := range order {
		found := "no version"
		if w.found != 0 {
			found = fmt.Sprintf("version %d", w.found)
		}
		parts = append(parts, fmt.Sprintf("lanes %08x: %s, want version %d", masks[w], found, w.expected))
	}
	v := &lanes[0]
	return fmt.Sprintf("%s: cycle %d: warp %d: R%d %s", v.Block, v.Cycle, v.Warp, v.Register, strings.Join(parts, "; "))
}
