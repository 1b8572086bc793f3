package shrf

import (
	"strings"
	"testing"

	"kumiko/regfile"
)

func TestASchedulerOfOneLevelIsRefused(t *testing.T) {
	const want = "sched.policy: found one level of scheduling, expected two-level"
	if _, err := NewFile(&regfile.Env{}, Default()); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want one that begins with %q", err, want)
	}
}
