package study

import (
	"errors"
	"io"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/diagnose"
	"kumiko/kernel/ir"
)

// build builds the machine of every variant once, and returns the settings impossible in combination, each with
// its place in the file.
func (s *Spec) build() []error {
	var errs complaints
	for i := range s.Variants {
		v := &s.Variants[i]
		c := s.Config(v.Name)
		if c == nil {
			continue // its mistakes have been found
		}
		err := buildable(c)
		if err == nil {
			err = diagnose.Refused(c)
		}
		if err != nil {
			errs.add(s.inVariant(v.path, "variant "+v.Name, v.Set, s.explained(s.Request(v), err)))
		}
	}
	return errs
}

// mostExplained bounds the variants of a study whose mistakes are looked for behind the first ones.
const mostExplained = 8

// explained returns the error of a refused configuration with all that has to be changed.
func (s *Spec) explained(r config.Request, err error) error {
	if s.refused++; s.refused > mostExplained {
		return err
	}
	return diagnose.Explain(r, err, diagnose.Key)
}

// buildable returns why no machine has a configuration. A fault of the simulator is no reason: the points report it.
func buildable(c *config.Config) (err error) {
	defer func() {
		if _, ok := errors.AsType[*ir.InternalError](err); ok {
			err = nil
		}
	}()
	defer ir.Caught(&err)
	_, err = gpus.New(c, gpus.Options{Printf: io.Discard})
	return err
}
