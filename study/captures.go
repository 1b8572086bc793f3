package study

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"kumiko/benchmarks"
	"kumiko/internal/tomldoc"
	"kumiko/kernel/host"
	"kumiko/kernel/recording"
	"kumiko/study/record"
)

// openMembers opens the recorded applications that groups name by their files.
func (s *Spec) openMembers() []error {
	var c complaints
	for _, g := range slices.Sorted(maps.Keys(s.Groups)) {
		for i, name := range s.Groups[g] {
			if !recording.Is(name) || s.own[name] != nil {
				continue
			}
			app, err := s.openCapture(name, "", name)
			if err != nil {
				app, err = &benchmarks.App{Name: name}, tomldoc.Errorf(s.doc.Elem("groups."+g, i), "%v", err)
			}
			c.add(err)
			s.own[name] = app
		}
	}
	return c
}

// sums matches the sums of recordings.
var sums = regexp.MustCompile(`^[0-9a-f]{64}$`)

// openRecorded makes an application of a program's recording. If the file is missing, but the study has its checksum
// (Sum), the application has no launches and cannot run. Expressions can be checked all the same, with the kernels that
// the study's file names.
func (s *Spec) openRecorded(p *Program) (*benchmarks.App, error) {
	app, err := s.openCapture(p.Name, p.Doc, p.Capture)
	if p.Sum == "" || !errors.Is(err, fs.ErrNotExist) {
		return app, err
	}
	s.absent[p.Name] = p
	return &benchmarks.App{Name: p.Name, Suite: "of the study", Summary: p.Doc, Outputs: []string{recording.Checked},
		Kernels: s.kernelsNamed(p.Name), New: func(benchmarks.Size) (host.Program, error) { return nil, err }}, nil
}

// kernelsNamed returns the kernels that the study's file names as benchmark/kernel, or one without a name.
func (s *Spec) kernelsNamed(benchmark string) []benchmarks.KernelInfo {
	out := []benchmarks.KernelInfo{{Block: benchmarks.Dim(1)}}
	for _, m := range regexp.MustCompile(`"`+regexp.QuoteMeta(benchmark)+`/([^"]+)"`).FindAllStringSubmatch(s.text, -1) {
		k := benchmarks.KernelInfo{Name: m[1], Block: benchmarks.Dim(1)}
		switch {
		case out[0].Name == "":
			out[0] = k
		case !slices.ContainsFunc(out, func(x benchmarks.KernelInfo) bool { return x.Name == k.Name }):
			out = append(out, k)
		}
	}
	return out
}

// Present parts points into those that can be run, and names the programs of the others: applications whose recordings
// are not there.
func (s *Spec) Present(points []record.Point) (here []record.Point, absent []string) {
	for i := range points {
		name := points[i].Benchmark
		if s.absent[name] == nil {
			here = append(here, points[i])
		} else if !slices.Contains(absent, name) {
			absent = append(absent, name)
		}
	}
	return here, absent
}

// Recordings returns the folder in which recordings are looked for.
func (s *Spec) Recordings() string {
	if s.recorded != "" {
		return s.recorded
	}
	return filepath.Dir(s.doc.File)
}

// openCapture makes an application of a recorded one. It is the same at every size.
func (s *Spec) openCapture(name, doc, file string) (*benchmarks.App, error) {
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.Recordings(), file)
	}
	p, err := recording.Open(file)
	if err != nil {
		return nil, err
	}
	app := &benchmarks.App{Name: name, Suite: "of the study", Summary: doc, Outputs: []string{recording.Checked},
		New: func(benchmarks.Size) (host.Program, error) { return p, nil }}
	for _, k := range p.Kernels() {
		app.Kernels = append(app.Kernels, benchmarks.KernelInfo{Name: k.Name, Block: k.First.Block})
	}
	if s.captures == nil {
		s.captures = map[string]*recording.Program{}
	}
	s.captures[name] = p
	return app, nil
}
