package bank

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

func TestNoTwoRegistersShareAnEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Policy(rapid.IntRange(0, int(numPolicies)-1).Draw(t, "policy"))
		banks := rapid.IntRange(1, MostBanks).Draw(t, "banks")
		if p == ByXor {
			banks = 1 << rapid.IntRange(0, 8).Draw(t, "log banks")
		}
		warps := rapid.IntRange(1, 20).Draw(t, "warps")
		regs := rapid.IntRange(1, 256).Draw(t, "registers")
		x, err := NewIndex(p, banks, warps, regs, rapid.IntRange(1, 4).Draw(t, "schedulers"))
		if err != nil {
			t.Fatal(err)
		}
		seen := make([]bool, banks*x.Entries())
		for w := 0; w < warps; w++ {
			for r := 0; r < regs; r++ {
				b, e := x.Find(uint16(w), ir.RegID(r))
				if int(b) >= banks || int(e) >= x.Entries() {
					t.Fatalf("warp %d R%d: bank %d entry %d of %d x %d", w, r, b, e, banks, x.Entries())
				}
				i := int(b)*x.Entries() + int(e)
				if seen[i] {
					t.Fatalf("warp %d R%d: bank %d entry %d is taken", w, r, b, e)
				}
				seen[i] = true
			}
		}
	})
}

func TestBankIndexPolicies(t *testing.T) {
	for _, c := range []struct {
		p    Policy
		warp uint16
		reg  ir.RegID
		want uint8
	}{
		{ByRegisterAndWarp, 6, 7, (7 + 6) % 4},
		{ByRegister, 6, 7, 7 % 4},
		{ByRegisterAndSlot, 6, 7, (7 + 6/2) % 4},
		{ByXor, 6, 7, (7 ^ 6) % 4},
	} {
		x, err := NewIndex(c.p, 4, 8, 32, 2)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := x.Find(c.warp, c.reg); got != c.want {
			t.Errorf("%s: warp %d R%d in bank %d, want %d", c.p, c.warp, c.reg, got, c.want)
		}
	}
}

func TestAnIndexThatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct {
		p              Policy
		banks, w, regs int
	}{{ByRegister, 0, 1, 1}, {ByRegister, 257, 1, 1}, {ByXor, 6, 1, 1}, {ByRegister, 4, 0, 1}, {ByRegister, 4, 1, 257}} {
		if _, err := NewIndex(c.p, c.banks, c.w, c.regs, 1); err == nil {
			t.Errorf("%+v accepted", c)
		}
	}
}
