// Package tools runs NVIDIA's assembler and disassembler, if they are installed. They are not part of this project.
package tools

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Tools are the programs found.
type Tools struct{ ptxas, nvdisasm string }

// ErrAbsent is the reason why Find finds nothing.
var ErrAbsent = errors.New("ptxas and nvdisasm of NVIDIA's CUDA toolkit are not there (in the folder of PTXAS, in " +
	"CUDA_HOME/bin or in PATH)")

// Find looks for the programs: the assembler PTXAS names and the disassembler beside it, those in CUDA_HOME/bin, and
// those in PATH.
func Find() (*Tools, error) {
	var folders []string
	if p := os.Getenv("PTXAS"); p != "" {
		folders = append(folders, filepath.Dir(p))
	}
	if home := os.Getenv("CUDA_HOME"); home != "" {
		folders = append(folders, filepath.Join(home, "bin"))
	}
	for _, f := range append(folders, "") {
		t := &Tools{}
		var err, err2 error
		t.ptxas, err = exec.LookPath(join(f, "ptxas"))
		t.nvdisasm, err2 = exec.LookPath(join(f, "nvdisasm"))
		if err == nil && err2 == nil {
			return t, nil
		}
	}
	return nil, ErrAbsent
}

// join returns the path of a program in a folder; without a folder it is looked for in PATH.
func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return filepath.Join(folder, name)
}

// Listing assembles PTX for an architecture, 75 for sm_75, and returns the disassembler's listing of it.
func (t *Tools) Listing(arch int, ptx []byte) (string, error) {
	dir, err := os.MkdirTemp("", "kumiko-cubin")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	source, cubin := filepath.Join(dir, "kernel.ptx"), filepath.Join(dir, "kernel.cubin")
	if err := os.WriteFile(source, ptx, 0o600); err != nil {
		return "", err
	}
	if _, err := output(t.ptxas, fmt.Sprintf("-arch=sm_%d", arch), source, "-o", cubin); err != nil {
		return "", err
	}
	return output(t.nvdisasm, "-hex", cubin)
}

// output runs a program and returns what it prints.
func output(name string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		said := bytes.TrimSpace(append(errs.Bytes(), out.Bytes()...))
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(name), err, said)
	}
	return out.String(), nil
}
