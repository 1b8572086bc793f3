package control

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

func TestEveryLatencyHasItsSource(t *testing.T) {
	lines := 0
	for i, line := range strings.Split(string(tables), "\n") {
		key, value, ok := strings.Cut(line, "=")
		if strings.HasPrefix(line, "#") || !ok || !strings.ContainsAny(value, "0123456789") ||
			strings.HasPrefix(key, "name") {
			continue
		}
		lines++
		if _, source, ok := strings.Cut(value, "# "); !ok || source == "" {
			t.Errorf("line %d has no source: %s", i+1, line)
		}
	}
	if lines < 40 {
		t.Errorf("only %d lines were looked at", lines)
	}
}

func TestEveryClassHasARowForEveryMachine(t *testing.T) {
	names := Names()
	if len(names) != 4 {
		t.Fatalf("machines %v, want four", names)
	}
	for _, name := range names {
		m := machine(t, name)
		for c := range ir.NumClasses {
			if m.byClass[c] == nil {
				t.Errorf("%s has no row for %s", name, c)
			}
		}
	}
}

func TestAnUnknownMachineIsRefusedByName(t *testing.T) {
	_, err := For("sm_20")
	if err == nil || !strings.Contains(err.Error(), `"sm_20", expected sm_52, sm_75, sm_86, sm_90`) {
		t.Error(err)
	}
}

func TestMistakesInLatenciesAreNamed(t *testing.T) {
	good := string(tables)
	for from, c := range map[string]struct{ to, want string }{
		"war_fixed    = 1            # R": {"war_fixt     = 1            # R", "16:1: found key machine.war_fixt"},
		`reads     = "alu"`:               {`reads     = "all"`, `machine sm_52: group alu: found reads "all", expected one of alu`},
		"{ alu = 6, fma = 6":              {"{ alu = 0, fma = 6", "group alu: result: found 0 cycles to reader alu"},
		"fma = 6, half = 6,":              {"fmx = 6, half = 6,", "result: found reader fmx"},
		`"compare", "vote"]`:              {`"compare"]`, "found no group of class vote"},
		`"fmul", "fma"`:                   {`"fmul", "int"`, "found class int, expected a timing class that no other"},
		`"match", "redux"`:                {`"match", "match"`, "found instruction match"},
		`"collectors"`:                    {`"none"`, `found reuse "none"`},
		"stall   = 5 # MW":                {"stall   = 16 # MW", "found a stall of 16"},
		"war_variable = 4 ":               {"war_variable = 0 ", "found 0 cycles"},
		`name         = "sm_52"`:          {`name         = sm_52`, "13:16"},
	} {
		if !strings.Contains(good, from) {
			t.Errorf("the file does not have %s", from)
			continue
		}
		_, err := read([]byte(strings.Replace(good, from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.to, err, c.want)
		}
	}
}
