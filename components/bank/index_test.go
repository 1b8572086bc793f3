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

// Of 10 registers a warp, register 7 of context 3 is number 37, the second bank's tenth.
func TestLinearRegistersFollowOneAnotherThroughAllBanks(t *testing.T) {
	x, err := NewIndex(Linear, 4, 8, 32, 2)
	if err != nil {
		t.Fatal(err)
	}
	if x.Entries() != 8*32/4 {
		t.Errorf("%d entries, want room for 8 warps of 32 registers in 4 banks", x.Entries())
	}
	for _, c := range []struct{ each, number int }{{10, 3*10 + 7}, {32, 3*32 + 7}, {99, 3*32 + 7}, {8, 3*8 + 7},
		{0, 3*1 + 7}} {
		x.Registers(c.each)
		if b, e := x.Find(3, 7); int(b) != c.number%4 || int(e) != c.number/4 {
			t.Errorf("%d registers a warp: bank %d, entry %d, want those of number %d", c.each, b, e, c.number)
		}
	}
	y, err := NewIndex(ByRegisterAndWarp, 4, 8, 32, 2)
	if err != nil {
		t.Fatal(err)
	}
	bank, entry := y.Find(3, 7)
	y.Registers(10)
	if b, e := y.Find(3, 7); b != bank || e != entry {
		t.Errorf("under another policy the registers of a warp moved a register from bank %d, entry %d to %d, %d", bank,
			entry, b, e)
	}
}

// Register r of context w is in bank w + r, as with ByRegisterAndWarp, until the end of the warp's block of
// registers: the 6 registers of context 3 begin at number 18, in bank 2. They are rotated by one.
func TestTurnedRegistersOfANumberLieInTheBankOfTheirWarp(t *testing.T) {
	x, err := NewIndex(Turned, 4, 8, 32, 2)
	if err != nil {
		t.Fatal(err)
	}
	for each, want := range map[int][]int{
		6: {19, 20, 21, 22, 23, 18},
		8: {27, 28, 29, 30, 31, 24, 25, 26}, // three, since 24 is in bank 0
		5: {15, 16, 17, 18, 19},             // none: 15 is in bank 3
		1: {3},
		2: {7, 6}, // 6 is in bank 2
	} {
		x.Registers(each)
		for r, n := range want {
			if b, e := x.Find(3, ir.RegID(r)); int(b) != n%4 || int(e) != n/4 {
				t.Errorf("R%d of %d: bank %d, entry %d, want those of number %d", r, each, b, e, n)
			}
		}
	}
}

// Warps naming the same register use as many different banks as there are, whatever the number of registers per
// warp.
func TestTurnedWarpsThatNameOneRegisterSpreadOverTheBanks(t *testing.T) {
	x, err := NewIndex(Turned, 4, 8, 64, 2)
	if err != nil {
		t.Fatal(err)
	}
	for each := 4; each <= 64; each++ {
		x.Registers(each)
		var seen [4]int
		for w := range uint16(8) {
			b, _ := x.Find(w, 0)
			seen[b]++
		}
		if seen != [4]int{2, 2, 2, 2} {
			t.Errorf("%d registers: register 0 of eight warps lies %v times in the banks", each, seen)
		}
	}
}

// However many registers a warp has, the registers of all warps together fill the first entries of all banks without a
// gap.
func TestLinearRegistersLeaveNoGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		banks, warps := rapid.IntRange(1, 32).Draw(t, "banks"), rapid.IntRange(1, 20).Draw(t, "warps")
		most := rapid.IntRange(1, 64).Draw(t, "most")
		each := rapid.IntRange(1, most).Draw(t, "each")
		x, err := NewIndex(Linear, banks, warps, most, 1)
		if err != nil {
			t.Fatal(err)
		}
		turned, err := NewIndex(Turned, banks, warps, most, 1)
		if err != nil {
			t.Fatal(err)
		}
		x.Registers(each)
		turned.Registers(each)
		next := 0
		for w := range warps {
			block := make([]bool, each)
			for r := range each {
				if b, e := x.Find(uint16(w), ir.RegID(r)); int(e)*banks+int(b) != next {
					t.Fatalf("warp %d R%d: bank %d entry %d, want place %d", w, r, b, e, next)
				}
				next++
				b, e := turned.Find(uint16(w), ir.RegID(r))
				n := int(e)*banks + int(b) - w*each
				if n < 0 || n >= each || block[n] {
					t.Fatalf("turned: warp %d R%d: place %d of the warp's, which is taken or not its own", w, r, n)
				}
				block[n] = true
			}
		}
	})
}
