package sm

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
)

// counted builds a counter of windows over two CTAs of two warps each, of 8 registers. issue
// issues n instructions of a warp, each naming the given number of registers.
func counted() (c *windowCount, issue func(warp uint16, n, registers int, last bool)) {
	c = newWindowCount(4, 2)
	c.footprint = 8
	c.Admitted(1, 0, []uint16{0, 1})
	c.Admitted(1, 1, []uint16{2, 3})
	return c, func(warp uint16, n, registers int, last bool) {
		for i := range n {
			in := &ir.Inst{}
			in.T.NDst, in.T.Dst[0] = 1, ir.RegID(i%registers)
			in.T.NSrc, in.T.Src[0] = 1, ir.RegID((i+1)%registers)
			c.Issued(uint64(i), &message.Fetched{Inst: in, Warp: warp, Last: last && i == n-1}, 0)
		}
	}
}

func (s *windows) want(t *testing.T, name string, count, touched, allocated uint64) {
	t.Helper()
	if s.count != count || s.touched != touched || s.allocated != allocated {
		t.Errorf("%s: %d windows, %d of %d registers; want %d, %d of %d", name, s.count, s.touched, s.allocated, count,
			touched, allocated)
	}
}

// Warp 0 issues 1000 instructions naming 3 registers, then warp 1 issues 1000 naming 5. Each 1000 are a window of their
// warp, of the CTA and of the SM, which have 8, 16 and 32 registers.
func TestAWindowHasTheRegistersThatItsInstructionsName(t *testing.T) {
	c, issue := counted()
	issue(0, 1000, 3, false)
	issue(1, 1000, 5, false)
	c.scopes[ofWarp].want(t, "warp", 2, 3+5, 2*8)
	c.scopes[ofCTA].want(t, "CTA", 2, 3+5, 2*16)
	c.scopes[ofSM].want(t, "SM", 2, 3+5, 2*32)
}

// Four warps have 250 instructions each. So no warp and no CTA has a window, and the SM has one, with the registers of
// all warps.
func TestAWindowOfAnSMHasTheRegistersOfAllWarps(t *testing.T) {
	c, issue := counted()
	for w := range uint16(4) {
		issue(w, 250, int(w)+2, false)
	}
	c.scopes[ofWarp].want(t, "warp", 0, 0, 0)
	c.scopes[ofCTA].want(t, "CTA", 0, 0, 0)
	c.scopes[ofSM].want(t, "SM", 1, 2+3+4+5, 32)
}

// A warp or a CTA that ends before 1000 instructions has one shorter window. If it has had a full window, the
// instructions after it do not count. The next warp and CTA in their places begin anew.
func TestAWindowThatIsCutCountsWhereThereIsNoOther(t *testing.T) {
	c, issue := counted()
	issue(0, 300, 3, true)
	c.scopes[ofWarp].want(t, "warp that ends after 300", 1, 3, 8)
	c.scopes[ofCTA].want(t, "its CTA goes on", 0, 0, 0)
	issue(1, 1300, 4, true)
	c.scopes[ofWarp].want(t, "warp that ends after 1300", 1+1, 3+4, 2*8)
	c.scopes[ofCTA].want(t, "its CTA ends after 1600", 1, 3+4, 16)
	issue(0, 10, 2, true)
	c.scopes[ofWarp].want(t, "the next warp", 3, 3+4+2, 3*8)
	issue(1, 10, 2, true)
	c.scopes[ofCTA].want(t, "the next CTA", 2, 3+4+2+2, 2*16)
}

// 3 of 32 registers are 9.4 %, rounded up to 10.
func TestSharesOfWindowsAreRoundedUp(t *testing.T) {
	c, issue := counted()
	issue(0, 1000, 3, false)
	var reg stats.Registry
	reg.Histogram("share", "percent", "", &c.scopes[ofSM].share)
	if n := reg.Distributions()[0].Counts(); n[10] != 1 {
		t.Errorf("%v, want one window with 10 %%", n)
	}
}

// 8 of 32 registers are 25 %; a kernel of no registers has no share.
func TestAShareOfAWindowIsExactWhereItIsWhole(t *testing.T) {
	c, issue := counted()
	issue(0, 1000, 8, false)
	c.footprint, c.held = 0, 0
	issue(1, 1000, 1, false)
	var reg stats.Registry
	reg.Histogram("share", "percent", "", &c.scopes[ofSM].share)
	want := stats.Histogram{}
	want.Add(25)
	reg.Histogram("want", "percent", "", &want)
	if a, b := reg.Distributions()[0].Counts(), reg.Distributions()[1].Counts(); a != b {
		t.Errorf("%v, want one window with 25 %%", a)
	}
}
