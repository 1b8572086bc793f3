package programs

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/gpus/config"
	"kumiko/internal/infile"
	"kumiko/kernel/cubin"
	"kumiko/kernel/ir"
)

// CodeFiles are the endings of files of code, for messages.
const CodeFiles = ".ptx, .cu, .cubin or .sass"

// IsMachineCode reports whether a program is a file of NVIDIA's machine code by its name: a cubin, or a listing.
func IsMachineCode(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".cubin" || ext == ".sass"
}

// MatchCode makes a request one for the code of a program that is machine code: compiler.code is the architecture of
// the file, unless the request has the setting.
func MatchCode(r *config.Request, program string) error {
	const key = "compiler.code="
	if !IsMachineCode(program) || slices.ContainsFunc(r.Set, func(s string) bool { return strings.HasPrefix(s, key) }) {
		return nil
	}
	data, err := infile.Read(program)
	if err != nil {
		return err
	}
	arch, err := cubin.Architecture(program, data)
	if err != nil {
		return err
	}
	r.Set = append([]string{fmt.Sprintf("%ssm_%d", key, arch)}, r.Set...)
	return nil
}

func readMachineCode(name string) (*ir.Module, error) {
	data, err := infile.Read(name)
	if err != nil {
		return nil, err
	}
	return cubin.ReadModule(name, data)
}
