package cuasm

import (
	"testing"

	"kumiko/kernel/ir"
)

func TestADepbarNamesACounterItsValueAndOtherCounters(t *testing.T) {
	for text, want := range map[string]ir.Hold{
		"DEPBAR.LE SB0, 0x1;":           {Set: true, Counter: 0, Most: 1},
		"DEPBAR.LE SB5, 0x3f, {4,3,2};": {Set: true, Counter: 5, Most: 63, Others: 0b11100},
		"DEPBAR {0, 5};":                {Set: true, Most: 63, Others: 0b100001},
		"NOP;":                          {},
	} {
		if got := one(t, text).Control.Hold; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestADepbarOfNoCounterIsRefusedWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"DEPBAR.LE SB6, 0x1;":      `x.sass:1:11: found "SB6", expected a counter, SB0 to SB5`,
		"DEPBAR.LE 0, 0x1;":        `x.sass:1:11: found "0", expected a counter, SB0 to SB5`,
		"DEPBAR.LE SB0, 0x40;":     `x.sass:1:16: found "0x40", expected a value of the counter, 0 to 63`,
		"DEPBAR.LE SB0, 0x1, {6};": `x.sass:1:21: found "{6}", expected counters in braces, such as {4,3,2}`,
		"DEPBAR.LE SB0;": "x.sass:1:15: found the end of the instruction, " +
			"expected a counter and its highest value, such as SB0, 0x1",
	} {
		if _, err := Read("x.sass", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}
