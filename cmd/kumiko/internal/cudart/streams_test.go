package cudart_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

var streamPrograms = map[string]string{} // by flags

// streamed returns the compiled testdata/streams.cu.
func streamed(t *testing.T, flags ...string) string {
	t.Helper()
	id := strings.Join(flags, " ")
	if streamPrograms[id] == "" {
		out := compiled(t, append(flags, "testdata/streams.cu")...)
		kept := filepath.Join(os.Getenv("XDG_CACHE_HOME"), fmt.Sprint("streams", len(streamPrograms)))
		if err := os.Rename(out, kept); err != nil {
			t.Fatal(err)
		}
		streamPrograms[id] = kept
	}
	return streamPrograms[id]
}

// orderOf describes the launches of rows: those of a row that wait for another one, by the numbers of both, and those
// that overlap. Rows are apart by a bar.
func orderOf(rows []result.Kernel) string {
	var out []string
	n := 0
	for i := range rows {
		b := rows[i].Beside
		text := fmt.Sprint(n + 1)
		if len(b) > 0 {
			text = fmt.Sprintf("%d-%d:", n+1, n+len(b))
		}
		for j := range b {
			for k := range b[:j] {
				if b[j].Begin < b[k].End && b[k].Begin < b[j].End {
					text += fmt.Sprintf(" %d~%d", n+k+1, n+j+1)
				}
			}
		}
		out = append(out, text)
		n += max(len(b), 1)
	}
	return strings.Join(out, " | ")
}

// 1 is the first launch. 1~2: both overlap. Launches that a bar divides ran one after the other.
func TestStreamsAndEventsHaveTheOrderOfCUDA(t *testing.T) {
	for _, c := range []struct{ what, order, out string }{
		{"none", "1 | 2 | 3 | 4", ""},
		{"one", "1 | 2 | 3 | 4", "1\n"},
		{"two", "1-2: 1~2", ""},
		{"timeless", "1 | 2", "1\n"},
		{"grown", "1-3: 1~2 1~3 2~3", ""},
		{"default", "1 | 2 | 3", ""},
		{"apart", "1-3: 1~2 2~3", ""},
		{"events", "1-4: 1~3 2~3 3~4", ""},
		{"again", "1-3: 2~3", ""},
		{"later", "1-4: 1~3 2~3 3~4", ""},
		{"free", "1-2: 1~2 | 3", ""},
		{"gone", "1-2: 1~2", ""},
		{"empty", "1-2: 1~2", ""},
		{"host", "1-5: 1~2 1~3 1~4 1~5", "0\n"},
		{"device", "1-2: 1~2 | 3-4: 3~4", ""},
		{"copies", "1-4: 1~2 3~4 | 5", "called\n"},
		{"memset", "1-3: 1~2 2~3", ""},
		{"destroyed", "1-3: 1~2 1~3", ""},
		{"times", "1-2: 1~2 | 3-4: 3~4", ""},
		{"driver", "1-3: 1~2 2~3 | 4-5: 4~5", "1\n"},
		{"thread", "1 | 2", ""},
		{"threads", "1 | 2 | 3 | 4", ""},
	} {
		out, errs, _, m, err := simulatedOn(t, configuration(t), 1, nil, streamed(t), c.what)
		if got := orderOf(m.Results()); err != nil || got != c.order || !strings.HasPrefix(out, c.out) {
			t.Errorf("%s: found %q, %q, %v, want %q\n%s%s", c.what, got, out, err, c.order, out, errs)
		}
	}
}

// The clock of the test counts cycles.
func TestAnEventHasTheTimeAtWhichTheLaunchesBeforeItHaveEnded(t *testing.T) {
	out, _, _, m, err := simulatedOn(t, configuration(t), 1, nil, streamed(t), "times")
	rows := m.Results()
	if err != nil || len(rows) != 2 || len(rows[0].Beside) != 2 || len(rows[1].Beside) != 2 {
		t.Fatalf("found %d rows, %v, want two of two launches", len(rows), err)
	}
	first, second := int(rows[0].Beside[0].End), int(rows[0].Beside[1].End)
	third, fourth := rows[1].Beside[0].End, rows[1].Beside[1].End
	want := fmt.Sprintf("%d %d %d\n%d %d %d\n", first, second, second-first, rows[0].Cycles+fourth, fourth, third)
	if !strings.HasPrefix(out, want) {
		t.Errorf("found the times %q, want %q", out, want)
	}
}

func TestProcessesOneAfterTheOtherHaveTheirOwnStreams(t *testing.T) {
	script := filepath.Join(t.TempDir(), "twice")
	text := fmt.Sprintf("#!/bin/sh\n%s times\n%[1]s grown\n%[1]s times\n", streamed(t))
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	out, errs, end, m, err := simulatedOn(t, configuration(t), 1, nil, script)
	order := "1-2: 1~2 | 3-4: 3~4 | 5-7: 5~6 5~7 6~7 | 8-9: 8~9 | 10-11: 10~11"
	if got := orderOf(m.Results()); err != nil || got != order || end.Launches != 11 {
		t.Fatalf("found %q, %d launches, %v, want %q\n%s", got, end.Launches, err, order, errs)
	}
	rows := m.Results()
	first, second := int(rows[3].Beside[0].End), int(rows[3].Beside[1].End) // since the second begin
	if want := fmt.Sprintf("%d %d %d\n", first, second, second-first); !strings.Contains(out, want) {
		t.Errorf("found the times %q, want %q among them", out, want)
	}
}

func TestWithDefaultStreamsOfThreadsTheirLaunchesOverlap(t *testing.T) {
	if testing.Short() {
		t.Skip("the application is compiled again")
	}
	for _, c := range []struct{ what, order string }{
		{"thread", "1 | 2"},
		{"threads", "1-4: 1~3 2~4"},
		{"none", "1 | 2 | 3 | 4"},
		{"default", "1-3: 1~2 2~3"},
	} {
		out := streamed(t, "--default-stream=per-thread")
		_, errs, _, m, err := simulatedOn(t, configuration(t), 1, nil, out, c.what)
		if got := orderOf(m.Results()); err != nil || got != c.order {
			t.Errorf("%s: found %q, %v, want %q\n%s", c.what, got, err, c.order, errs)
		}
	}
}

// times returns the cycles of rows and of the launches in them.
func times(rows []result.Kernel) (out []string) {
	for i := range rows {
		out = append(out, fmt.Sprintf("%s %d %+v", rows[i].Name, rows[i].Cycles, rows[i].Beside))
	}
	return out
}

func TestStreamsTakeTheSameCyclesRecordedAndWithAnyNumberOfWorkers(t *testing.T) {
	for _, what := range []string{"none", "one", "two", "apart", "events", "host", "device", "copies", "times"} {
		_, _, _, one, err := simulatedOn(t, configuration(t), 1, nil, streamed(t), what)
		if err != nil {
			t.Fatal(err)
		}
		_, _, _, three, err := simulatedOn(t, configuration(t), 3, nil, streamed(t), what)
		if err != nil {
			t.Fatal(err)
		}
		m, err := replayed(t, recordedProgram(t, streamed(t), what), itself)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if err := m.Sync(); err != nil {
			t.Fatal(err)
		}
		want := times(one.Results())
		if d := cmp.Diff(want, times(three.Results())); d != "" || len(want) == 0 {
			t.Errorf("%s: three workers: %s", what, d)
		}
		if d := cmp.Diff(want, times(m.Results())); d != "" {
			t.Errorf("%s: recorded: %s", what, d)
		}
	}
}

// The file of the older format has the events of the newer one, without a launch's place.
func TestRecordingsOfTheOlderFormatRunInOrder(t *testing.T) {
	file := recordedProgram(t, streamed(t), "none") // without places
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	newer, older := "kumiko application 5\n", "kumiko application 4\n"
	if !strings.HasPrefix(string(text), newer) {
		t.Fatalf("found %q, want %q", text[:len(newer)], newer)
	}
	if err := os.WriteFile(file, append([]byte(older), text[len(newer):]...), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := replayed(t, file, itself)
	if got := orderOf(m.Results()); err != nil || got != "1 | 2 | 3 | 4" {
		t.Errorf("found %q, %v, want four launches in order", got, err)
	}
}

func TestAProgramOfSeveralStreamsIsRefusedByADesignForOneKernelUnlessInOrder(t *testing.T) {
	set := []string{"sm.count=2"}
	regpool := func(set ...string) (string, error) {
		c := machinetest.Config(t, config.Request{GPU: "maxwell", Design: "regpool", Set: set})
		_, _, _, m, err := simulatedOn(t, c, 1, nil, streamed(t), "two")
		return orderOf(m.Results()), err
	}
	if _, err := regpool(set...); err == nil || !strings.Contains(err.Error(), `residency.policy = "in-order"`) {
		t.Errorf("found %v, want a refusal that names the setting", err)
	}
	if order, err := regpool(append(set, "residency.policy=in-order")...); err != nil || order != "1 | 2" {
		t.Errorf("found %q, %v, want both launches in order", order, err)
	}
}

func TestLaunchesOfTheDriverAPIAreInTheirStreams(t *testing.T) {
	out := compiled(t, "testdata/driver.c", "-lcuda")
	_, errs, _, m, err := simulatedOn(t, configuration(t), 1, nil, out)
	if got := orderOf(m.Results()); got != "1-2: 1~2" {
		t.Errorf("found %q, %v, want two launches side by side\n%s", got, err, errs)
	}
}

func TestASimulationGoesOnToItsEndAfterTheApplication(t *testing.T) {
	_, _, end, m, err := simulatedOn(t, configuration(t), 1, nil, streamed(t), "grown") // ends without waiting
	if rows := m.Results(); err != nil || end.Launches != 3 || len(rows) != 1 || !rows[0].Complete {
		t.Errorf("found %d rows, %+v, %v, want one that is complete", len(rows), end, err)
	}
}
