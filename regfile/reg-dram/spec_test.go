package regdram

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.L2 = Around })
	x.Taken(func(s *Spec) { s.L2 = Through })
	x.Refused("l2", func(s *Spec) { s.L2 = "other" })
}
