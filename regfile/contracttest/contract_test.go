package contracttest

import (
	"testing"

	"kumiko/regfile"
	_ "kumiko/regfile/designs"
)

func TestEveryDesignKeepsTheContract(t *testing.T) {
	names := regfile.Names()
	if len(names) == 0 {
		t.Fatal("no design is registered")
	}
	for _, n := range names {
		k, err := regfile.Find(n)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(n, func(t *testing.T) { Contract(t, k, nil) })
	}
}
