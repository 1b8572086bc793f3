package emu

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes the property tests thorough: rapid's default of 100 checks
// meets few of the rare cases.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "1000")
	flag.Parse()
	os.Exit(m.Run())
}
