package gpus_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain reduces the number of cases drawn by property tests, since each case simulates programs.
func TestMain(m *testing.M) {
	_ = flag.Set("rapid.checks", "40")
	flag.Parse()
	os.Exit(m.Run())
}
