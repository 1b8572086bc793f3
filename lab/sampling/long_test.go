package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/kernel/launch"
	"kumiko/kernel/ptx"
)

func TestTheLongLaunchesAreOfTheKernelsThatTheyAreNamedAfter(t *testing.T) {
	files, err := filepath.Glob("long/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 {
		t.Errorf("%d files, want 3", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		source := filepath.Join("..", "..", "benchmarks", name, "kernel.ptx")
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ptx.Parse(source, text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := launch.Load(file, m); err != nil {
			t.Error(err)
		}
	}
}
