package study

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
	"kumiko/kernel/launch"
)

// Program is a program of the study's author: PTX with launch files, a recorded application, a folder of traces, or
// built-in programs side by side. Groups name it like a benchmark. Files are relative to the study's.
type Program struct {
	Name string `toml:"name"`
	Doc  string `toml:"doc"`
	PTX  string `toml:"ptx"`
	CUDA string `toml:"cuda"` // a file of CUDA C++, in the place of PTX
	// Defines are macros of CUDA C++, NAME or NAME=VALUE.
	Defines []string `toml:"defines"`
	Capture string   `toml:"capture"` // a recorded application, in the place of PTX
	// Sum is the SHA-256 of the recording from which the study's records were made, in hexadecimal. With it a study can
	// be read without the recording, so that the records can be looked at elsewhere; the points of the program are then
	// not run.
	Sum    string `toml:"sum"`
	Traces string `toml:"traces"` // a folder with a kernelslist.g, or such a list, in the place of PTX
	Launch string `toml:"launch"` // the launch file of every size
	// Sizes maps each size of the program to its launch file, in place of
	// Launch.
	Sizes map[string]string `toml:"sizes"`
	// Together are built-in programs that run side by side, each in a stream of its own, in the place of PTX.
	Together []string `toml:"together"`
}

// Benchmark returns a program of the study, or else a built-in benchmark, or nil for an unknown
// name. It returns an error for wrong arguments within a name.
func (s *Spec) Benchmark(name string) (*benchmarks.App, error) {
	if app := s.own[name]; app != nil {
		return app, nil
	}
	return benchmarks.Open(name)
}

// benchmarkNames lists the study's programs and the built-in benchmarks.
func (s *Spec) benchmarkNames() []string {
	out := slices.Collect(maps.Keys(s.own))
	for _, a := range benchmarks.List() {
		out = append(out, a.Name)
	}
	slices.Sort(out)
	return out
}

// checkPrograms reads the programs with all their launch files.
func (s *Spec) checkPrograms() []error {
	var c complaints
	s.own, s.absent = map[string]*benchmarks.App{}, map[string]*Program{}
	for i := range s.Programs {
		p, path := &s.Programs[i], fmt.Sprintf("program.%d", i)
		err := cmp.Or(s.checkProgramName(p, path), s.checkLaunches(p, path))
		app := &benchmarks.App{Name: p.Name} // groups may name one with mistakes
		if err == nil {
			if app, err = s.open(p); err != nil {
				app, err = &benchmarks.App{Name: p.Name}, s.errorf(path, "program %s: %v", p.Name, err)
			}
		}
		c.add(err)
		s.own[p.Name] = app
	}
	return append(c, s.openMembers()...)
}

func (s *Spec) checkProgramName(p *Program, path string) error {
	switch {
	case !names.MatchString(p.Name):
		return s.errorf(path+".name", "program: found the name %q, expected %s", p.Name, nameRule)
	case s.own[p.Name] != nil:
		return s.errorf(path+".name", "two programs are named %s", p.Name)
	case given(p.PTX, p.CUDA, p.Capture, p.Traces, strings.Join(p.Together, "")) != 1:
		return s.errorf(path, "program %s: expected one of ptx, cuda, capture, traces and together", p.Name)
	case p.Sum != "" && p.Capture == "":
		return s.errorf(path+".sum", "program %s: found the sum of a recording (capture), which is not given", p.Name)
	case p.Sum != "" && !sums.MatchString(p.Sum):
		return s.errorf(path+".sum", "program %s: found the sum %q, expected 64 digits 0-9, a-f", p.Name, p.Sum)
	case p.CUDA == "" && len(p.Defines) > 0:
		return s.errorf(path+".defines", "program %s: found macros without a file of CUDA C++ (cuda)", p.Name)
	}
	return nil
}

// given counts values that are not empty.
func given(values ...string) (n int) {
	for _, v := range values {
		if v != "" {
			n++
		}
	}
	return n
}

func (s *Spec) checkLaunches(p *Program, path string) error {
	if p.PTX == "" && p.CUDA == "" {
		if p.Launch != "" || len(p.Sizes) > 0 {
			return s.errorf(path, "program %s: found launch files together with traces, a recorded application or "+
				"built-in programs, which have launches of their own", p.Name)
		}
		return nil
	}
	if (p.Launch == "") == (len(p.Sizes) == 0) {
		return s.errorf(
			path,
			"program %s: expected launch, the launch file of every size, or sizes, with one for each",
			p.Name,
		)
	}
	for _, size := range slices.Sorted(maps.Keys(p.Sizes)) {
		if err := s.checkSize(path+".sizes."+size, size); err != nil {
			return err
		}
	}
	return nil
}

// open makes an application of a program. Mistakes in its files are found here, once.
func (s *Spec) open(p *Program) (*benchmarks.App, error) {
	switch {
	case p.Traces != "":
		return s.openTraces(p)
	case p.Capture != "":
		return s.openRecorded(p)
	case len(p.Together) > 0:
		return s.openTogether(p)
	}
	module, err := s.module(p)
	if err != nil {
		return nil, err
	}
	app := &benchmarks.App{Name: p.Name, Suite: "of the study", Summary: p.Doc}
	files := p.Sizes
	if p.Launch != "" {
		files = map[string]string{"": p.Launch}
	}
	for _, size := range slices.Sorted(maps.Keys(files)) {
		l, err := launch.Load(s.resolvePath(files[size]), module)
		if err != nil {
			return nil, err
		}
		describe(app, l)
	}
	app.New = func(size benchmarks.Size) (host.Program, error) {
		file := files[size.String()]
		if p.Launch != "" {
			file = p.Launch
		}
		if file == "" {
			return nil, fmt.Errorf("%s has no size %s; expected one of %s", p.Name, size,
				strings.Join(slices.Sorted(maps.Keys(files)), ", "))
		}
		return launch.Load(s.resolvePath(file), module)
	}
	return app, nil
}

// describe adds the kernels and checks of a launch file to the description of a program.
func describe(app *benchmarks.App, l *launch.Program) {
	for _, k := range l.Kernels() {
		if !slices.ContainsFunc(app.Kernels, func(o benchmarks.KernelInfo) bool { return o.Name == k.Name }) {
			app.Kernels = append(app.Kernels, benchmarks.KernelInfo{Name: k.Name, Block: k.First.Block})
		}
	}
	for _, b := range l.Checked() {
		if !slices.Contains(app.Outputs, b) {
			app.Outputs = append(app.Outputs, b)
		}
	}
}

// resolvePath returns the path of a file named in the study's file.
func (s *Spec) resolvePath(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(s.doc.File), file)
}
