// Package tools runs NVIDIA's assembler and disassembler, if they are installed. They are not part of this project.
package tools

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Tools are the programs found.
type Tools struct {
	ptxas, nvdisasm string
	// Version is the assembler's, such as V11.8.89, and Disassembler that of the disassembler.
	Version, Disassembler string
}

// ErrAbsent is the reason why Find finds nothing.
var ErrAbsent = errors.New("ptxas and nvdisasm of NVIDIA's CUDA toolkit are not there (in the folder of PTXAS, in " +
	"CUDA_HOME/bin or in PATH): install them, on Debian nvidia-cuda-toolkit of the component non-free")

// Named reports whether PTXAS names an assembler. Its code is wanted then, and none that was kept.
func Named() bool { return os.Getenv("PTXAS") != "" }

// Find looks for the programs: the assembler PTXAS names and the disassembler beside it, or else those in CUDA_HOME/bin
// and those in PATH.
func Find() (*Tools, error) {
	if p := os.Getenv("PTXAS"); p != "" {
		t := &Tools{ptxas: p, nvdisasm: filepath.Join(filepath.Dir(p), "nvdisasm")}
		for _, name := range []string{t.ptxas, t.nvdisasm} {
			if _, err := exec.LookPath(name); err != nil {
				return nil, fmt.Errorf("PTXAS=%s: %w: expected the path of ptxas, with nvdisasm beside it, or no "+
					"PTXAS", p, err)
			}
		}
		return t, t.version()
	}
	var folders []string
	if home := os.Getenv("CUDA_HOME"); home != "" {
		folders = append(folders, filepath.Join(home, "bin"))
	}
	for _, f := range append(folders, "") {
		t := &Tools{}
		var err, err2 error
		t.ptxas, err = exec.LookPath(join(f, "ptxas"))
		t.nvdisasm, err2 = exec.LookPath(join(f, "nvdisasm"))
		if err == nil && err2 == nil {
			return t, t.version()
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

var release = regexp.MustCompile(`release [0-9.]+, (V[0-9.]+)`)

// version asks the programs for their versions.
func (t *Tools) version() error {
	var err error
	if t.Version, err = versionOf(t.ptxas); err == nil {
		t.Disassembler, err = versionOf(t.nvdisasm)
	}
	return err
}

func versionOf(program string) (string, error) {
	out, _, err := output(program, "--version")
	if err != nil {
		return "", err
	}
	if m := release.FindStringSubmatch(out); m != nil {
		return m[1], nil
	}
	return "of unknown version", nil
}

// Output is what the programs make of PTX.
type Output struct {
	Listing string
	// Spilled has, by kernel, the bytes of a thread's registers spilled to local memory.
	Spilled map[string]int
	// Notes say what of the PTX was changed to be assembled.
	Notes []string
}

// Assemble assembles PTX for an architecture, 75 for sm_75, and disassembles the result. registers bounds those of a
// thread; 0: they are unbounded. PTX for a later architecture, or of a later version than the assembler knows, is tried
// as PTX for this one: the assembler refuses the instructions that it does not have.
func (t *Tools) Assemble(arch int, ptx []byte, registers int) (*Output, error) {
	dir, err := os.MkdirTemp("", "kumiko-cubin")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := &Output{}
	ptx = out.target(arch, ptx)
	info, err := t.assemble(dir, arch, ptx, registers)
	if m := unsupported.FindStringSubmatch(fmt.Sprint(err)); err != nil && m != nil {
		ptx = version.ReplaceAll(ptx, []byte("${1}"+m[2]))
		out.Notes = append(out.Notes, fmt.Sprintf("PTX of version %s is assembled as that of %s, the latest that "+
			"ptxas %s knows", m[1], m[2], t.Version))
		info, err = t.assemble(dir, arch, ptx, registers)
	}
	if err != nil {
		return nil, err
	}
	out.Spilled = spilled(info)
	out.Listing, _, err = output(t.nvdisasm, "-hex", filepath.Join(dir, cubin))
	return out, err
}

// Disassemble returns the listing of a cubin.
func (t *Tools) Disassemble(data []byte) (string, error) {
	dir, err := os.MkdirTemp("", "kumiko-cubin")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, cubin), data, 0o600); err != nil {
		return "", err
	}
	text, _, err := output(t.nvdisasm, "-hex", filepath.Join(dir, cubin))
	return text, err
}

const cubin = "kernel.cubin"

// assemble writes the cubin into a folder, and returns what the assembler says of it.
func (t *Tools) assemble(dir string, arch int, ptx []byte, registers int) (string, error) {
	source := filepath.Join(dir, "kernel.ptx")
	if err := os.WriteFile(source, ptx, 0o600); err != nil {
		return "", err
	}
	args := []string{"-v", fmt.Sprintf("-arch=sm_%d", arch), source, "-o", filepath.Join(dir, cubin)}
	if registers > 0 {
		args = append(args, fmt.Sprintf("-maxrregcount=%d", registers))
	}
	_, info, err := output(t.ptxas, args...)
	return info, err
}

var (
	version     = regexp.MustCompile(`(?m)^(\s*\.version\s+)[0-9.]+`)
	targets     = regexp.MustCompile(`(?m)^(\s*\.target\s+)sm_([0-9]+)[a-z]?`)
	unsupported = regexp.MustCompile(`Unsupported \.version ([0-9.]+); current version is '([0-9.]+)'`)
	function    = regexp.MustCompile(`Function properties for (\S+)`)
	spills      = regexp.MustCompile(`([0-9]+) bytes spill stores`)
)

// target makes PTX for a later architecture PTX for this one.
func (o *Output) target(arch int, ptx []byte) []byte {
	m := targets.FindSubmatch(ptx)
	if m == nil {
		return ptx
	}
	if of, err := strconv.Atoi(string(m[2])); err != nil || of <= arch {
		return ptx
	}
	o.Notes = append(o.Notes, fmt.Sprintf("PTX for sm_%s is assembled for sm_%d", m[2], arch))
	return targets.ReplaceAll(ptx, fmt.Appendf(nil, "${1}sm_%d", arch))
}

// spilled reads the bytes of spilled registers from what the assembler says.
func spilled(info string) map[string]int {
	out, name := map[string]int{}, ""
	for line := range strings.Lines(info) {
		if m := function.FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		if m := spills.FindStringSubmatch(line); m != nil && name != "" {
			out[name], _ = strconv.Atoi(m[1])
		}
	}
	return out
}

// output runs a program and returns what it prints.
func output(name string, args ...string) (out, errs string, err error) {
	var stdout, stderr bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		said := bytes.TrimSpace(append(stderr.Bytes(), stdout.Bytes()...))
		return "", "", fmt.Errorf("%s: %w: %s", filepath.Base(name), err, said)
	}
	return stdout.String(), stderr.String(), nil
}
