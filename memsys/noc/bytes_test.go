package noc

import (
	"fmt"
	"testing"

	"kumiko/memsys/req"
)

// For each cause as many replies of one sector, 8 + 32 bytes, as its number plus
// one: no cause's bytes are another's.
func TestBytesAreCountedByTheirCause(t *testing.T) {
	b := newBench(t, 40, 1, 1, 4)
	for c := range req.NumCauses {
		for i := range int(c) + 1 {
			p := data(0, 1, uint32(i))
			p.Cause = req.Cause(c)
			b.src[0].Send(1, p)
		}
	}
	b.d.RunUntil(1000)
	got := b.reg.Snapshot()
	for c := range req.NumCauses {
		name := fmt.Sprint("mem.noc.reply.bytes.", req.Cause(c))
		if want := 40 * uint64(c+1); got[name] != want {
			t.Errorf("%s is %d, want %d", name, got[name], want)
		}
	}
}
