package study

import (
	"maps"
	"slices"

	"kumiko/benchmarks"
	"kumiko/internal/tomldoc"
	"kumiko/kernel/host"
	"kumiko/kernel/recording"
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

// openCapture makes an application of a recorded one. It is the same at every size.
func (s *Spec) openCapture(name, doc, file string) (*benchmarks.App, error) {
	p, err := recording.Open(s.beside(file))
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
