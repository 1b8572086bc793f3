//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// replaying is the command that replays a recording on a small GPU.
const replaying = `"$KUMIKO" run app.kumiko --set sm.count=2 --json replay.json`

// capture records a program and replays the recording twice. It tells about launches, the file and cycles.
func (b *bench) capture(ctx context.Context, p *program, dir string) (string, error) {
	if err := os.RemoveAll(filepath.Join(dir, "observed.bin")); err != nil {
		return "", err
	}
	if _, err := b.shell(ctx, p, dir, `"$KUMIKO" capture -o app.kumiko -- `+p.Run, "capture.log"); err != nil {
		return "", err
	}
	info, err := os.Stat(filepath.Join(dir, "app.kumiko"))
	if err != nil {
		return "", err
	}
	var launches int
	var cycles [2]uint64
	for i := range cycles {
		if _, err := b.shell(ctx, p, dir, replaying, "replay.log"); err != nil {
			return "", err
		}
		if launches, cycles[i], err = total(filepath.Join(dir, "replay.json")); err != nil {
			return "", err
		}
	}
	if cycles[0] != cycles[1] || cycles[0] == 0 {
		return "", fmt.Errorf("two replays have %d and %d cycles", cycles[0], cycles[1])
	}
	return fmt.Sprintf("%d launches, %d KiB, twice %d cycles", launches, (info.Size()+1023)/1024, cycles[0]), nil
}

// record builds a program as a study runs it, and records it into a folder. It returns the recording's file and sum.
func (b *bench) record(ctx context.Context, p *program, folder string) (file, sum string, err error) {
	p = p.forStudy()
	dir, err := b.prepare(p)
	if err != nil {
		return "", "", err
	}
	if _, err := b.shell(ctx, p, dir, p.Build, "build.log"); err != nil {
		return "", "", err
	}
	if _, err := b.shell(ctx, p, dir, `"$KUMIKO" capture -o app.kumiko -- `+p.Run, "capture.log"); err != nil {
		return "", "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, "app.kumiko"))
	if err != nil {
		return "", "", err
	}
	file = filepath.Join(folder, p.suite+"-"+p.Name+".kumiko")
	return file, fmt.Sprintf("%x", sha256.Sum256(text)), os.WriteFile(file, text, 0o644)
}

// total returns the launches and cycles of a result.
func total(file string) (launches int, cycles uint64, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	var r struct{ Kernels []struct{ Cycles uint64 } }
	if err := json.Unmarshal(text, &r); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", file, err)
	}
	for _, k := range r.Kernels {
		cycles += k.Cycles
	}
	return len(r.Kernels), cycles, nil
}
