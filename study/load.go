package study

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	_ "kumiko/benchmarks/all" // for use in groups
	"kumiko/internal/infile"
	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
)

// Load reads a study: a built-in name, or a file ending in .toml. Sweeps are
// expanded, and every configuration has been read once. Mistakes come as
// *tomldoc.Error, joined when there are several.
func Load(name string) (*Spec, error) { return LoadWith(name, "") }

// LoadWith is Load with a folder for the recorded applications that the study names. If it is empty, they are beside
// the study's file.
func LoadWith(name, captures string) (*Spec, error) {
	if strings.HasSuffix(name, ".toml") {
		data, err := infile.Read(name)
		if err != nil {
			if pe, ok := errors.AsType[*fs.PathError](err); ok {
				err = pe.Err
			}
			return nil, fmt.Errorf("study file %s: %w", name, err)
		}
		return parseDoc(filepath.Clean(name), data, captures, true)
	}
	file, data, ok := readBuiltin(name)
	if !ok {
		return nil, fmt.Errorf("no study named %q; expected one of %s, or a file ending in .toml%s", name,
			strings.Join(Names(), ", "), nearest.Hint(name, Names()))
	}
	return parseDoc(file, data, captures, false)
}

// Parse reads a study from the text of a file. The machine of every variant has been built once.
func Parse(file string, data []byte) (*Spec, error) { return parseDoc(file, data, "", true) }

// parseDoc parses a study, whose recordings are in the folder captures. build: also build its machines. The built-in
// studies skip this, because a test builds their machines.
func parseDoc(file string, data []byte, captures string, build bool) (*Spec, error) {
	doc, err := tomldoc.Parse(file, data)
	if err != nil {
		return nil, err
	}
	s := &Spec{doc: doc, text: string(data), opened: opened{recorded: captures}}
	shape := tomldoc.ShapeOf(reflect.TypeFor[Spec]())
	mistakes := shape.Check(doc)
	errs := append(tomldoc.InWords(mistakes), doc.Finite()...)
	known := func(m tomldoc.Mistake) bool { return !m.Unknown() }
	if len(errs) > len(mistakes) || slices.ContainsFunc(mistakes, known) {
		return nil, tomldoc.Join(file, tomldoc.Sorted(errs))
	}
	if len(errs) > 0 {
		return nil, tomldoc.Join(file, tomldoc.Sorted(append(errs, s.besides(shape, build)...)))
	}
	if err := tomldoc.Decode(file, data, s); err != nil {
		return nil, err
	}
	if errs := s.mistakes(build); len(errs) > 0 {
		return nil, tomldoc.Join(file, tomldoc.Sorted(errs))
	}
	return s, nil
}

// mistakes returns the mistakes of a study that was decoded.
func (s *Spec) mistakes(build bool) []error {
	errs := s.complete()
	if build {
		errs = append(errs, s.build()...)
	}
	return errs
}

// besides returns the mistakes of a study beside its unknown keys. It reads the study as if each unknown key were the
// known one nearest to it. A key without a near one is taken out; mistakes in the table it was in may follow from this,
// so that they are not returned.
func (s *Spec) besides(shape *tomldoc.Shape, build bool) []error {
	without, ok := s.doc.Correct(shape)
	if !ok {
		return nil
	}
	if wrong := shape.Check(s.doc); len(wrong) > 0 {
		return tomldoc.InWords(wrong)
	}
	v := reflect.ValueOf(s).Elem()
	if s.doc.Apply(func(key []string) (reflect.Value, []string) { return v, key }) != nil {
		return nil // of a number without room, which is found when the keys are right
	}
	return slices.DeleteFunc(tomldoc.Sorted(s.mistakes(build)), func(err error) bool {
		var e *tomldoc.Error
		return errors.As(err, &e) && slices.ContainsFunc(without, func(t string) bool { return s.Pos(t) == e.Pos })
	})
}

// Pos returns the place of a setting in the file (tomldoc.Doc.At).
func (s *Spec) Pos(path string) tomldoc.Pos { return s.doc.At(path) }

// File returns the parsed document of the study.
func (s *Spec) File() *tomldoc.Doc { return s.doc }

func (s *Spec) errorf(path, format string, args ...any) error {
	return tomldoc.Errorf(s.Pos(path), format, args...)
}

// Text returns the text of the study's file.
func (s *Spec) Text() string { return s.text }

// NamesKernel reports whether the study's file has the name benchmark/kernel.
func (s *Spec) NamesKernel(benchmark, kernel string) bool {
	return strings.Contains(s.text, `"`+benchmark+"/"+kernel+`"`)
}

// JSONSchema returns the JSON schema of a study's file (tomldoc.Shape.JSONSchema).
func JSONSchema() map[string]any {
	m := tomldoc.ShapeOf(reflect.TypeFor[Spec]()).JSONSchema()
	m["$schema"], m["title"] = tomldoc.Draft, "Study of Kumiko"
	return m
}
