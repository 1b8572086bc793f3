package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kumiko/study"
)

// facts are facts about a pack, in a file beside it.
type facts struct {
	// Date is the day of packing, and Version the version of the simulator that made the records.
	Date    string `toml:"date"`
	Version string `toml:"version"`
	// Golden is a digest of the golden results of the study's GPUs when the records were packed.
	Golden  string  `toml:"golden"`
	Perturb int     `toml:"perturb"` // highest perturbation among the records
	Seconds float64 `toml:"seconds"` // of processor time
}

func readFacts(file string) (f facts, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return f, err
	}
	if err := toml.Unmarshal(data, &f); err != nil {
		return f, fmt.Errorf("%s: %w", file, err)
	}
	return f, nil
}

func (f *facts) write(file string) error {
	data, err := toml.Marshal(f)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// gpusOf returns the GPUs of a study's variants, sorted.
func gpusOf(s *study.Spec) (out []string) {
	for i := range s.Variants {
		if g := s.Config(s.Variants[i].Name).Name; !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	slices.Sort(out)
	return out
}

// golden returns a digest of the programs and cycles in the golden results of some GPUs.
func golden(root string, gpus []string) (string, error) {
	f, err := os.Open(filepath.Join(root, "tools/golden/testdata/golden.txt"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	var rows []string
	section, in := "", bufio.NewScanner(f)
	for in.Scan() {
		words := strings.Fields(in.Text())
		switch {
		case len(words) > 2 && words[0] == "#":
			if section = ""; slices.Contains(gpus, words[1]) {
				section = words[1] + " " + words[2]
			}
		case section != "" && len(words) > 1:
			rows = append(rows, section+" "+words[0]+" "+words[1])
		}
	}
	if len(rows) == 0 {
		return "", fmt.Errorf("golden results: found none of the GPUs %s", strings.Join(gpus, ", "))
	}
	slices.Sort(rows)
	sum := sha256.Sum256([]byte(strings.Join(rows, "\n")))
	return hex.EncodeToString(sum[:8]), in.Err()
}
