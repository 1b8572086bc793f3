package cuasm

import (
	"strconv"
	"strings"

	"kumiko/internal/excerpt"
	"kumiko/kernel/ir"
)

// hold reads the operands of a DEPBAR: DEPBAR.LE SB0, 0x1, {4,3,2}, with the counters in braces
// optional, or DEPBAR {4,3,2}.
func (r *reader) hold(x *statement) error {
	if x.base() != "DEPBAR" {
		return nil
	}
	h := ir.Hold{Set: true, Most: ir.MostCounted}
	rest := x.operands
	if strings.HasPrefix(x.opcode, "DEPBAR.LE") {
		if len(rest) < 2 {
			return r.bad(r.at, "the end of the instruction", "a counter and its highest value, such as SB0, 0x1")
		}
		n, ok := counter(strings.TrimPrefix(rest[0].text, "SB"))
		if !ok || !strings.HasPrefix(rest[0].text, "SB") {
			return r.bad(rest[0].at, excerpt.Quote(rest[0].text), "a counter, SB0 to SB5")
		}
		most, err := strconv.ParseUint(rest[1].text, 0, 8)
		if err != nil || most > ir.MostCounted {
			return r.bad(rest[1].at, excerpt.Quote(rest[1].text), "a value of the counter, 0 to 63")
		}
		h.Counter, h.Most, rest = n, uint8(most), rest[2:]
	}
	for _, o := range rest {
		for _, f := range strings.Split(strings.Trim(o.text, "{} "), ",") {
			n, ok := counter(strings.TrimSpace(f))
			if !ok {
				return r.bad(o.at, excerpt.Quote(o.text), "counters in braces, such as {4,3,2}")
			}
			h.Others |= 1 << n
		}
	}
	x.control.Hold = h
	return nil
}

// counter returns the number of a dependence counter.
func counter(text string) (uint8, bool) {
	n, err := strconv.ParseUint(text, 10, 8)
	return uint8(n), err == nil && n < ir.Counters
}
