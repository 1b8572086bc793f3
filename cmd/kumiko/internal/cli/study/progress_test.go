package study

import (
	"bytes"
	"kumiko/cmd/kumiko/internal/cli/app"
	"strings"
	"testing"
	"time"
)

func TestReadingRecordsShowsABarOnATerminalWhenItTakesLong(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out bytes.Buffer
		show := &studyProgress{w: &out, text: &out, terminal: terminal}
		r := &readProgress{show: show, begun: time.Now()}
		r.stage("records of ltrf", 1, 5)
		r.report(0, 500)
		r.report(128, 500)
		if out.Len() > 0 {
			t.Errorf("terminal %v: %q before it takes long", terminal, out.String())
		}
		r.begun = r.begun.Add(-app.Patience)
		r.report(256, 500)
		if shown := strings.Contains(out.String(), "256/500"); shown != terminal {
			t.Errorf("terminal %v: %q", terminal, out.String())
		}
		r.report(500, 500)
		out.Reset()
		r.stage("records of ltrf", 1, 5)
		if shown := strings.Contains(out.String(), "records of ltrf"); shown != terminal {
			t.Errorf("terminal %v: a step of a long command shows %q", terminal, out.String())
		}
	}
}
