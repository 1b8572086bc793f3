package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAPictureHasEachRegisterInTheColourOfItsBank(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own := file("own.json", `[{"kernel": "k", "instructions": [{"pc": 0, "instruction": "add R1, R6, 2 < 3",
		"reads": [{"register": 6, "bank": 2}], "writes": [{"register": 1}]}]}]`)
	vendor := file("vendor.json", `[{"kernel": "k", "assembler": "ptxas", "instructions": []}]`)
	svg, err := picture([]string{own, vendor})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`fill="#009e73"/><text x="99" y="75" fill="white" font-size="11" text-anchor="middle">R6<`,
		`fill="#999"/><text x="51" y="75" fill="white" font-size="11" text-anchor="middle">R1<`,
		"add R1, R6, 2 &lt; 3", "k by NVIDIA&#39;s ptxas"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%s\nlacks %s", svg, want)
		}
	}
	if _, err := picture([]string{own}); err == nil {
		t.Error("one listing is drawn")
	}
	_, err = picture([]string{own, file("none.json", "[]")})
	if err == nil || !strings.Contains(err.Error(), "none.json") {
		t.Errorf("no kernel: error %v", err)
	}
}
