package config

import (
	"slices"
	"strings"

	"kumiko/components/spec"
	"kumiko/regfile"
)

// controls refuses control words that a register file is not made for. Whether those of a sequence
// or a trace are right only a check of the operands can say.
func (c *Config) controls() error {
	k, err := regfile.Find(c.RegFile.Kind)
	if err != nil || !c.Sched.Controlled() {
		return nil // the section says so itself
	}
	if len(k.Words) == 0 {
		return &spec.Error{Key: "sched.dependences", Found: c.Sched.Dependences,
			Want: "scoreboard with regfile.kind = " + k.Name + ", whose times no control words have"}
	}
	if w := c.Compiler.Control; w != noControl && !slices.Contains(k.Words, w) {
		return spec.Errorf("compiler.control_words", w, "%s or %s, with regfile.kind = %s", noControl,
			strings.Join(k.Words, ", "), k.Name)
	}
	return nil
}
