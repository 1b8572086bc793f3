package suite

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all" // registers the built-in programs
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// Write writes the input of measure.sh, for a GPU of compute capability sm, such as 90: loops, memory kernels and
// programs. It returns the number of kernels and programs.
func Write(dir string, sm int) (int, error) {
	for _, sub := range []string{"launched", "loops", "memory", "programs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return 0, err
		}
	}
	texts := map[string]string{"memory/chase.ptx": chasePTX, "memory/read.ptx": streamPTX("read"),
		"memory/write.ptx": streamPTX("write")}
	for _, r := range Rows() {
		texts["loops/"+r.Name+".ptx"] = r.PTX(sm)
		if r.Chip {
			texts["launched/"+r.Name+".ptx"] = r.Counted(sm)
		}
	}
	for _, n := range waitLoads {
		texts[fmt.Sprintf("memory/wait_%d.ptx", n)] = waitPTX(n)
	}
	for _, c := range Codes {
		texts[fmt.Sprintf("memory/code_%d.ptx", c.Instructions)] = codePTX(c.Instructions)
	}
	var rows strings.Builder
	for _, r := range memoryRows() {
		fmt.Fprintln(&rows, r.kind, r.name, r.script)
	}
	written := len(texts)
	texts["memory/rows.txt"] = rows.String()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return 0, err
		}
	}
	for _, size := range Sizes {
		n, err := scripts(filepath.Join(dir, "programs"), size)
		if err != nil {
			return 0, err
		}
		written += n
	}
	return written, nil
}

// Sizes are the sizes of the measured programs.
var Sizes = []benchmarks.Size{benchmarks.Small, benchmarks.Study}

// scripts writes each built-in program at a size as a script for programs.py. DIR/NAME.SIZE has the program's PTX
// (module.ptx), the bytes written and read by its host (data.bin), and its commands in order (script.txt). Programs
// with textures and programs with generated PTX are left out.
func scripts(dir string, size benchmarks.Size) (int, error) {
	written := 0
	for _, app := range benchmarks.List() {
		p, err := app.New(size)
		if err != nil {
			return written, err
		}
		m := p.(interface{ Module() *ir.Module }).Module()
		text, err := os.ReadFile(m.File)
		if err != nil || bytes.Contains(text, []byte("\ttex.")) {
			continue
		}
		if err := script(filepath.Join(dir, folderOf(app.Name, size)), app.Name, p, m); err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}

func folderOf(program string, size benchmarks.Size) string { return program + "." + size.String() }

// script writes one program.
func script(dir, name string, p host.Program, m *ir.Module) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := os.ReadFile(m.File)
	if err != nil {
		return fmt.Errorf("%w: run from the project's folder", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "module.ptx"), text, 0o644); err != nil {
		return err
	}
	memory := new(mem.Memory)
	w := &writer{module: m, mem: memory, run: emu.Runner{Mem: memory}, held: map[string][]byte{}}
	if err := p.Run(&host.Device{Mem: memory, Runner: w}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.changes("result")
	if err := os.WriteFile(filepath.Join(dir, "data.bin"), w.data.Bytes(), 0o644); err != nil {
		return err
	}
	return w.save(filepath.Join(dir, "script.txt"))
}

// writer is a runner that records each launch, and the changes made to memory by the host before the launch.
type writer struct {
	module   *ir.Module
	mem      *mem.Memory
	run      emu.Runner
	held     map[string][]byte // contents of device memory, by variable or by address
	commands []string
	data     bytes.Buffer
	launches []*host.Launch
	places   []int // of the launches among the commands
}

// Launch implements host.Runner.
func (w *writer) Launch(l *host.Launch) error {
	if l.Module != w.module {
		return fmt.Errorf("launch of %s: found a second module, expected one", l.Kernel)
	}
	w.changes("write")
	w.launches = append(w.launches, l)
	line := fmt.Sprintf("%s %d %d %d %d %d %d %d %t", l.Kernel, l.Grid[0], l.Grid[1], l.Grid[2], l.Block[0],
		l.Block[1], l.Block[2], l.DynShared, l.Cooperative)
	for _, a := range l.Args {
		line += " " + hex.EncodeToString(a.Bytes)
	}
	w.places = append(w.places, len(w.commands))
	w.commands = append(w.commands, line)
	if err := w.run.Launch(l); err != nil {
		return err
	}
	w.each(func(key string, _ bool, _ uint64, now []byte) { w.held[key] = slices.Clone(now) })
	return nil
}

// changes records the differences between host memory and device memory. The command is "write" for these
// differences, or "result" for the complete expected contents at the end.
func (w *writer) changes(command string) {
	w.each(func(key string, variable bool, addr uint64, now []byte) {
		if command == "write" && bytes.Equal(w.held[key], now) && w.held[key] != nil {
			return
		}
		kind := "memory"
		if variable {
			kind = "variable"
		}
		w.commands = append(w.commands, fmt.Sprintf("%s %s %s %d %d %d", command, kind, key, addr, w.data.Len(),
			len(now)))
		w.data.Write(now)
	})
}

// each calls do for the module's variables and the other regions of memory.
func (w *writer) each(do func(key string, variable bool, addr uint64, now []byte)) {
	var known []uint64
	for i := range w.module.Vars {
		v := &w.module.Vars[i]
		if v.Space == ir.Global {
			known = append(known, v.Address)
		}
		if now, err := w.mem.Symbol(w.module, v.Name); err == nil && len(now) > 0 {
			do(v.Name, true, v.Address, now)
		}
	}
	for _, r := range w.mem.Regions() {
		if !slices.Contains(known, r.Addr) && len(r.Data) > 0 {
			do(fmt.Sprintf("0x%x", r.Addr), false, r.Addr, r.Data)
		}
	}
}

// save writes the commands. A launch is "measure" or "launch".
func (w *writer) save(file string) error {
	measured := chosen(w.launches)
	for i, place := range w.places {
		name := "launch "
		if slices.Contains(measured, i) {
			name = "measure "
		}
		w.commands[place] = name + w.commands[place]
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	for _, c := range w.commands {
		fmt.Fprintln(b, c)
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// chosen returns the numbers of the measured launches: the first launch of each kernel with each grid, and at most
// four of a kernel.
func chosen(launches []*host.Launch) []int {
	type shape struct {
		kernel string
		grid   [3]int
	}
	seen, number := map[shape]bool{}, map[string]int{}
	var out []int
	for i, l := range launches {
		s := shape{l.Kernel, l.Grid}
		if seen[s] || number[l.Kernel] == 4 {
			continue
		}
		seen[s] = true
		number[l.Kernel]++
		out = append(out, i)
	}
	return out
}
