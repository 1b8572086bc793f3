package config

import (
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/kernel/compiler/control"
	"kumiko/regfile"
)

// Machine returns the machine for which control words are made: the compiler's or, if the compiler makes none, the
// only machine with times known to the register file; empty: none.
func (c *Config) Machine() string {
	if w := c.Compiler.Control; w != noControl {
		return w
	}
	if k, err := regfile.Find(c.RegFile.Kind); err == nil && len(k.Words) == 1 {
		return k.Words[0]
	}
	return ""
}

// Hardware returns the times that control words must allow for; zero if the register file's kind accepts no control
// words.
func (c *Config) Hardware() control.Hardware {
	s := c.RegFile.settings[c.RegFile.Kind]
	if s == nil || s.Reads == nil {
		return control.Hardware{}
	}
	reads := s.Reads()
	return control.Hardware{Latency: c.SM.FixedLatencies(reads.Doubles), Reads: reads}
}

// controls refuses control words unsupported by the register file. Whether the words of a sequence or a trace are
// correct can be found only by the operand check.
func (c *Config) controls() error {
	k, err := regfile.Find(c.RegFile.Kind)
	if err != nil || !c.SM.Scheduler.Controlled() {
		return nil // the section says so itself
	}
	if len(k.Words) == 0 {
		return &spec.Error{Key: "sched.dependences", Found: c.SM.Scheduler.Dependences,
			Want: "scoreboard with regfile.kind = " + k.Name + ", whose times no control words have"}
	}
	if w := c.Compiler.Control; w != noControl && !slices.Contains(k.Words, w) {
		return spec.Errorf("compiler.control_words", w, "%s or %s, with regfile.kind = %s", noControl,
			strings.Join(k.Words, ", "), k.Name)
	}
	return nil
}
