package probe

import "testing"

// In maxas' microbenchmarks two S2R take 22 to 44 cycles together. Its wiki has about 25 for one.
func TestASpecialRegisterIsReadInAVariableTimeOfAboutTwentyFiveCycles(t *testing.T) {
	for _, c := range []struct {
		text string
		last int
		want int
	}{
		{"--:-:1:-:2 S2R R1, SR_TID.X;\n01:-:-:-:6 IADD R3, R1, R2;\n", 1, 25},
		{"--:-:1:-:2 S2R R1, SR_TID.X;\n--:-:2:-:2 S2R R2, SR_TID.Y;\n03:-:-:-:6 IADD R3, R1, R2;\n", 2, 29},
	} {
		r, err := controlled(t, 1, c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Instructions[c.last].Stages[0]; got != c.want {
			t.Errorf("%s: the last one issues at %d, want %d", c.text, got, c.want)
		}
	}
}
