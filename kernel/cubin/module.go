package cubin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"

	"kumiko/kernel/cubin/listing"
	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/ir"
)

// ReadModule reads a file of machine code, a cubin or a listing of one, as a module. Its kernels have parameters
// without types and no instructions: Compile makes these. A kernel that is not understood is among the refused ones.
// NVIDIA's disassembler is needed for a cubin.
func ReadModule(file string, data []byte) (*ir.Module, error) {
	text := string(data)
	if bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		if _, err := elfArch(data); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		t, err := tools.Find()
		if err != nil {
			return nil, fmt.Errorf("the machine code of %s: %w", file, err)
		}
		if text, err = t.Disassemble(data); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	f, err := NewFile(file, text, nil)
	if err != nil {
		return nil, err
	}
	if c := f.read.Constants; len(c) > 0 {
		return nil, fmt.Errorf("%s: found the variable %s of constant space, expected none: its contents are not read "+
			"from machine code. Run its PTX with --code", file, c[0].Name)
	}
	m := &ir.Module{File: file, Target: fmt.Sprintf("sm_%d", f.read.Arch),
		Source: &ir.Source{File: file, Text: []byte(text), Arch: f.read.Arch}}
	for _, fn := range f.read.Functions {
		k, err := kernelOf(file, fn)
		if err != nil {
			return nil, err
		}
		m.Kernels = append(m.Kernels, k)
		if _, err := f.Kernel(m, k.Name); err != nil {
			m.Kernels = m.Kernels[:len(m.Kernels)-1]
			m.Refused = append(m.Refused, ir.Refusal{Kernel: k.Name, Err: err})
		}
	}
	return m, nil
}

// kernelOf returns a kernel without instructions.
func kernelOf(file string, fn *listing.Function) (*ir.Kernel, error) {
	k := &ir.Kernel{Name: fn.Name, File: file, ParamBytes: fn.ParamBytes}
	end := 0
	for i, p := range fn.Params {
		d := ir.ParamDecl{Name: fmt.Sprintf("parameter %d", i), Type: ir.B8, Count: p.Size, Array: true,
			Offset: p.Offset, Size: p.Size, Align: 1}
		for d.Align < 16 && (p.Offset|p.Size)&d.Align == 0 {
			d.Align *= 2
		}
		if t, ok := map[int]ir.Type{1: ir.B8, 2: ir.B16, 4: ir.B32, 8: ir.B64}[p.Size]; ok && d.Align >= p.Size {
			d.Type, d.Count, d.Array = t, 1, false
		}
		if p.Offset < end || p.Size == 0 || p.Offset+p.Size > fn.ParamBytes {
			return nil, fmt.Errorf("%s:%d: parameter %d of kernel %s has %d bytes at %d, expected some from %d on, "+
				"of %d", file, fn.Line, i, fn.Name, p.Size, p.Offset, end, fn.ParamBytes)
		}
		end = p.Offset + p.Size
		k.Params = append(k.Params, d)
	}
	if end != fn.ParamBytes {
		return nil, fmt.Errorf("%s:%d: kernel %s has %d bytes of parameters, and those that are listed %d", file,
			fn.Line, fn.Name, fn.ParamBytes, end)
	}
	return k, nil
}

// Architecture returns the architecture of a file of machine code, 75 for sm_75.
func Architecture(file string, data []byte) (int, error) {
	if bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		arch, err := elfArch(data)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
		return arch, nil
	}
	f, err := listing.Read(file, string(data))
	if err != nil {
		return 0, err
	}
	return f.Arch, nil
}

// elfArch returns the architecture of a cubin: the lowest byte of the flags in its header.
func elfArch(data []byte) (int, error) {
	const machineAt, flagsAt, header = 18, 48, 64 // of ELF files of 64 bits
	if len(data) < header || data[elf.EI_CLASS] != byte(elf.ELFCLASS64) ||
		binary.LittleEndian.Uint16(data[machineAt:]) != uint16(elf.EM_CUDA) {
		return 0, fmt.Errorf("an ELF file of another machine, expected a cubin: code for NVIDIA's GPUs")
	}
	return int(data[flagsAt]), nil
}

// checkOwnCode refuses requests that the code of a file cannot meet.
func (r *Request) checkOwnCode() error {
	src := r.Module.Source
	switch {
	case src.Arch != r.Arch:
		return fmt.Errorf("%s: found machine code of sm_%d, expected that of sm_%d, as compiler.code says", src.File,
			src.Arch, r.Arch)
	case r.Registers > 0:
		return fmt.Errorf("%s: kernel %s: found a bound of %d registers of a thread, expected none: machine code has "+
			"the registers that it was made for", src.File, r.Kernel, r.Registers)
	}
	return nil
}
