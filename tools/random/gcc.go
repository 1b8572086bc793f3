package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// longestRun is a time in which every C form ends, unless it hangs.
const longestRun = 30 * time.Second

// byGCC compiles the C form of the kernel with a C compiler, and returns the output of its run.
func (p *program) byGCC(gcc string) ([]byte, error) {
	text, err := p.cForm()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "random")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, program := filepath.Join(dir, "kernel.c"), filepath.Join(dir, "kernel")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		return nil, err
	}
	if out, err := exec.Command(gcc, "-w", "-O1", "-fwrapv", "-fno-strict-aliasing", "-o", program, source).
		CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", gcc, err, bytes.TrimSpace(out))
	}
	ctx, stop := context.WithTimeout(context.Background(), longestRun)
	defer stop()
	out, err := exec.CommandContext(ctx, program).Output()
	if err != nil {
		return nil, fmt.Errorf("the C form: %w", err)
	}
	return out, nil
}

// differs says at which variable an output is not as expected, or returns nil. by names the source of the expectation.
func (p *program) differs(got, want []byte, by string) error {
	if len(got) != len(want) {
		return fmt.Errorf("found an output of %d bytes, expected %d as by %s", len(got), len(want), by)
	}
	for i := range got {
		if got[i] != want[i] {
			word := i / 4
			return fmt.Errorf("thread %d, variable %d: found %#x, expected %#x as by %s", word/p.vars, word%p.vars,
				binary.LittleEndian.Uint32(got[4*word:]), binary.LittleEndian.Uint32(want[4*word:]), by)
		}
	}
	return nil
}
