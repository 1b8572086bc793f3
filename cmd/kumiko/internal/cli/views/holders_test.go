package views

import (
	"testing"

	"kumiko/gpus/timeline"
)

func TestHoldersOfOnePairOfRegistersAreOneHowManyBanksTheyAreIn(t *testing.T) {
	own := timeline.Holder{Line: 7, Text: "fma", Access: "read", OwnWarp: true, Waiting: "R13", Register: "R1",
		Cycles: 30, Bank: "Bank[0]"}
	other := own
	other.Bank = "Bank[1]"
	write := timeline.Holder{Cause: "eviction", Access: "write", Bank: "Bank[2]", Cycles: 40}
	x := &timeline.Profiled{BankWait: 100, Holders: []timeline.Holder{write, own, other}}
	want := "60.0 % own read of line 7 (fma): R13 behind R1 in 2 banks; 40.0 % eviction in Bank[2]"
	if got := heldBy(x, 2); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}
