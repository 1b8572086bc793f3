package query

import "testing"

func TestAStatisticIsReadIfAnExpressionNamesItsBeginning(t *testing.T) {
	s := parse(`
name = "t"
doc  = "stat(\"v\", \"vecadd\", \"far.hits\") + stat(\"v\", \"vecadd\", name(\"level.{}.hits\", 2))"
[groups]
all = ["vecadd"]
[[variant]]
name = "v"
gpu  = "gtx980"
`)
	read := Reads(s, `stat("v", #, "cache.hits") + statsum("v", #, "bank.reads.")`, `within("v", #, "latency", 0, 4)`,
		`residentctas("v", #)`)
	for name, want := range map[string]bool{"cache.hits": true, "cache.misses": false, "bank.reads.operand": true,
		"bank.writes": false, "far.hits": true, "level.2.hits": true, "latency": true, "latency.far": false,
		"switch.resident_ctas": true, "switch.active_ctas": false} {
		if got := read(name); got != want {
			t.Errorf("%s: read is %v, want %v", name, got, want)
		}
	}
}

func TestAFunctionWithNamesOfItsOwnReadsThese(t *testing.T) {
	Names("test_energy", "")
	defer delete(own, "test_energy")
	if !Reads(spec, `test_energy("v", #)`)("bank.writes") {
		t.Error("found a statistic that is not read")
	}
}
