package config

import (
	"errors"
	"testing"

	"kumiko/internal/tomldoc"
)

// Any file is either accepted, or refused with a place.
func FuzzGPUFile(f *testing.F) {
	for _, n := range append(Names(), commonGPU) {
		data, err := builtin.ReadFile(n + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	for _, s := range []string{
		"sm.units = {}", "sm.units.sp.class = {fma = [1, 2]}",
		"[[regfile.conventional.collector_sets]]\nunits = [\"sp\"]\n",
		"[sm]\ncount = 1\n[sm]\n", "a = {b = [{c = 1}]}", "regfile.conventional = 3", "sm.count = 99999999999999999999",
		"slice.sms = 3",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, _, err := parseLayer("f.toml", []byte(text))
		c := newConfig()
		if err == nil {
			err = c.apply(&layer{doc: doc})
		}
		var located *tomldoc.Error
		if err != nil {
			if !errors.As(err, &located) || located.Pos.File != "f.toml" {
				t.Fatalf("no place: %v", err)
			}
			return
		}
		if err := c.reconcile(); err == nil {
			c.Hash()
		}
	})
}
