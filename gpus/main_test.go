package gpus

import (
	"flag"
	"os"
	"testing"
)

// TestMain makes property tests draw fewer cases than rapid does: each simulates programs.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "40")
	flag.Parse()
	os.Exit(m.Run())
}
