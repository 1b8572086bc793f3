package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
)

// blockOf returns the first block of a page in a language.
func blockOf(t *testing.T, page, language string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$").FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("%s: no block of %s", page, language)
	}
	return m[1]
}

func TestTheTestOfOneBlockIsTheExampleOfItsPackage(t *testing.T) {
	example, err := os.ReadFile("../components/bank/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if block := blockOf(t, "test-one-block.md", "go"); !strings.Contains(string(example), block) {
		t.Errorf("the block is not in components/bank/example_test.go:\n%s", block)
	}
}

func TestTheComposedGPUCanBeBuilt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte(blockOf(t, "compose-a-gpu.md", "toml")), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(config.Request{GPU: file})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gpus.New(c, gpus.Options{}); err != nil {
		t.Fatal(err)
	}
	if c.Doc != "half a GTX 980 with twice the operand network" {
		t.Errorf("doc is %q", c.Doc)
	}
}
