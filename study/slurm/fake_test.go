package slurm

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/study"
	"kumiko/study/pool"
	"kumiko/study/record"
)

const gridText = `name = "grid"
size = "test"
set = ["slice.sms=2"]
[groups]
a = ["vecadd", "transpose"]
[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "null"
gpu = "gtx980"
design = "conventional"
[[variant]]
name = "banks"
gpu = "gtx980"
set = ["regfile.conventional.banks=8"]
[[stream]]
name = "streams"
gpu = "gtx980"
`

// taskManifest and taskIndex make the test's own program to be a task.
const (
	taskManifest = "KUMIKO_TASK_MANIFEST"
	taskIndex    = "KUMIKO_TASK_INDEX"
	// taskVersion is the version of the simulator run by the task.
	taskVersion = "KUMIKO_TASK_VERSION"
)

// TestTaskProcess is not a test: it is the process of a task.
func TestTaskProcess(t *testing.T) {
	if os.Getenv(taskManifest) == "" {
		t.Skip("run by the tasks of the other tests")
	}
	var index int
	if _, err := fmt.Sscan(os.Getenv(taskIndex), &index); err != nil {
		t.Fatal(err)
	}
	n := Node{Version: os.Getenv(taskVersion)}
	if err := n.Run(t.Context(), os.Getenv(taskManifest), index); err != nil {
		t.Fatal(err)
	}
}

// rig is a run of the grid in a folder of its own.
type rig struct {
	dir    string
	points []record.Point
	Run
}

// program writes a substitute for the simulator: study task MANIFEST INDEX. The
// lines before and after have the index in $4.
func (r *rig) program(t *testing.T, before, after string) {
	t.Helper()
	text := fmt.Sprintf("#!/bin/sh\ncd '%s'\n%s\n%s=\"$3\" %s=\"$4\" %s='%s' '%s' -test.run='^TestTaskProcess$'\n"+
		"code=$?\n%s\nexit $code\n",
		r.dir, before, taskManifest, taskIndex, taskVersion, r.Version, os.Args[0], after)
	write(t, r.Program, text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func newRig(t *testing.T) *rig {
	t.Helper()
	return newRigOf(t, gridText)
}

// newRigOf is a run of another study.
func newRigOf(t *testing.T, text string) *rig {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "grid.toml")
	write(t, file, text)
	s, err := study.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	store, err := record.OpenStore(filepath.Join(dir, "store"))
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{dir: dir, points: s.Points(0), Run: Run{Spec: s, Store: store, Need: record.Need{Version: "test"},
		Study: file, Dir: filepath.Join(dir, "it's slurm"), Program: filepath.Join(dir, "the program")}}
	r.program(t, "", "")
	return r
}

func (r *rig) do(t *testing.T) *Outcome {
	t.Helper()
	out, err := r.Do(t.Context(), r.points)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// records has the records of a folder by name, with the seconds taken out.
func records(t *testing.T, s *study.Spec, store *record.Store) map[string]string {
	t.Helper()
	list, _, err := s.Collect(store, s.Points(0), "test")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range list {
		r.Seconds = 0
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out[r.Point.String()] = string(text)
	}
	return out
}

// local returns the records made by the local pool.
func local(t *testing.T, s *study.Spec) map[string]string {
	t.Helper()
	return localOf(t, s, &pool.Pool{})
}

// localOf returns the records made by a pool with some settings.
func localOf(t *testing.T, s *study.Spec, pool *pool.Pool) map[string]string {
	t.Helper()
	store, err := record.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pool.Spec, pool.Store, pool.Version = s, store, "test"
	if _, err := pool.Run(t.Context(), s.Points(0)); err != nil {
		t.Fatal(err)
	}
	return records(t, s, store)
}

// fake puts commands before Slurm's: sbatch runs the tasks one after the other
// and records its calls, squeue prints the content of a file.
func (r *rig) fake(t *testing.T) {
	t.Helper()
	bin := filepath.Join(r.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(bin, "sbatch"), `#!/bin/sh
echo "$@" >> '`+r.dir+`/calls'
for a; do case "$a" in --array=0-*) last=${a#--array=0-};; esac; done
while [ $# -gt 2 ]; do shift; done
if [ -e '`+r.dir+`/refuse' ]; then echo "sbatch: error: invalid partition specified: nowhere" >&2; exit 1; fi
cp "$1" '`+r.dir+`/spooled'
if [ ! -e '`+r.dir+`/hold' ]; then
i=0; while [ $i -le $last ]; do SLURM_ARRAY_TASK_ID=$i sh '`+r.dir+`/spooled' $2 >> '`+r.dir+`/output' 2>&1; i=$((i+1)); done
fi
wc -l < '`+r.dir+`/calls'
`)
	write(t, filepath.Join(bin, "squeue"), "#!/bin/sh\nif [ -s '"+r.dir+"/queue' ]; then cat '"+r.dir+
		"/queue'; else echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; fi\n")
	write(t, filepath.Join(bin, "scontrol"),
		"#!/bin/sh\nprintf 'LogTimeFormat = iso8601_ms\\nMaxArraySize            = 3\\nMaxDBDMsgs = 20024\\n'\n")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
}

func (r *rig) calls(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, "calls"))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// Eight points are six simulations: variant null is base under another name. The
// cluster takes arrays of two.
func TestACollectedStudyHasTheRecordsOfALocalRun(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	r.Options = []string{"--partition=long"}
	out := r.do(t)
	if out.Done != 8 || len(out.Missing) != 0 || len(out.Jobs) != 0 {
		t.Errorf("%+v", out)
	}
	if got, want := records(t, r.Spec, r.Store), local(t, r.Spec); !maps.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	calls := r.calls(t)
	if len(calls) != 3 {
		t.Fatalf("%d jobs, want 3: %q", len(calls), calls)
	}
	for i, c := range calls {
		if !strings.Contains(c, "--array=0-1 ") || !strings.Contains(c, "--partition=long") ||
			!strings.HasSuffix(c, fmt.Sprint(".sh ", 2*i)) {
			t.Errorf("job %d: sbatch %s", i, c)
		}
	}
	left, _ := filepath.Glob(filepath.Join(r.Dir, "records", "*"))
	if len(left) != 0 {
		t.Errorf("not taken over: %v", left)
	}
	if again := r.do(t); again.Done != 8 || len(r.calls(t)) != 3 {
		t.Errorf("again %+v, %d jobs", again, len(r.calls(t)))
	}
}

func TestTheFirstTaskOfEachVariantIsCheckedAsInALocalRun(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	r.CheckFirst = true
	r.do(t)
	got, want := records(t, r.Spec, r.Store), localOf(t, r.Spec, &pool.Pool{CheckFirst: true})
	if !maps.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	checked := 0
	for _, text := range got {
		checked += strings.Count(text, `"checked":true`)
	}
	if checked != 6 { // base and null are one simulation, and a record and its result say so
		t.Errorf("%d are checked, want the records and results of 3 points", checked)
	}
}

func TestATaskThatRunsTwiceDoesNoHarm(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	r.program(t, "", "if [ $4 = 1 ]; then "+taskManifest+"=\"$3\" "+taskIndex+"=\"$4\" "+taskVersion+"=test '"+
		os.Args[0]+"' -test.run='^TestTaskProcess$'; fi")
	if out := r.do(t); out.Done != 8 {
		t.Errorf("%+v", out)
	}
	if got, want := records(t, r.Spec, r.Store), local(t, r.Spec); !maps.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestATaskThatIsKilledIsMissingAndIsSubmittedAgain(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	r.program(t, "if [ $4 = 0 ]; then kill -9 $$; fi", "")
	out := r.do(t)
	// Task 0 is two points.
	if out.Done != 6 || len(out.Missing) != 2 || out.Missing[0] != "base vecadd" {
		t.Errorf("%+v", out)
	}
	r.program(t, "", "")
	if out := r.do(t); out.Done != 8 {
		t.Errorf("%+v", out)
	}
	if n := len(r.calls(t)); n != 4 {
		t.Errorf("%d jobs, want 3 and one for what was missing", n)
	}
}

func TestAFailureIsKeptAndExecutedAgainTheNextTime(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	tasks, err := tasksOf(r.points, r.Spec.Keys())
	if err != nil {
		t.Fatal(err)
	}
	arrived, err := record.OpenStore(filepath.Join(r.Dir, "records"))
	if err != nil {
		t.Fatal(err)
	}
	bad := record.Record{Format: record.Format, Point: tasks[0].Points[0], Key: tasks[0].Key, Version: "test",
		Failed: "stuck"}
	if err := arrived.Put(&bad); err != nil {
		t.Fatal(err)
	}
	if out := r.do(t); out.Done != 8 || len(out.Failed) != 0 {
		t.Errorf("an old failure counts: %+v", out)
	}
}

// What an interrupted wait leaves in the queue is waited for, and not submitted
// twice.
func TestAnInterruptedWaitIsTakenUpAgain(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	write(t, filepath.Join(r.dir, "hold"), "")
	write(t, filepath.Join(r.dir, "queue"), "PENDING\nPENDING\n")
	ctx, cancel := context.WithCancel(t.Context())
	r.Report = func(done, total int) { cancel() }
	out, err := r.Do(ctx, r.points)
	if err != nil || len(out.Jobs) != 3 || out.Done != 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	r.Report = nil
	// Now the tasks run, and then leave the queue.
	b, err := batches(r.Dir)
	if err != nil || len(b) != 1 {
		t.Fatal(b, err)
	}
	r.Report = func(done, total int) {
		n := Node{Version: "test"}
		for i := range b[0].Tasks {
			if err := n.Run(t.Context(), b[0].file, i); err != nil {
				t.Error(err)
			}
		}
		write(t, filepath.Join(r.dir, "queue"), "")
		r.Report = nil
	}
	if out := r.do(t); out.Done != 8 || len(r.calls(t)) != 3 {
		t.Errorf("%+v after %d jobs", out, len(r.calls(t)))
	}
	if left, _ := filepath.Glob(filepath.Join(r.Dir, "batch-*")); len(left) == 0 {
		return
	}
	r.do(t)
	if left, _ := filepath.Glob(filepath.Join(r.Dir, "batch-*")); len(left) != 0 {
		t.Errorf("batches that are over are still there: %v", left)
	}
}

func TestWhatSbatchSaysIsReported(t *testing.T) {
	r := newRig(t)
	r.fake(t)
	write(t, filepath.Join(r.dir, "refuse"), "")
	if _, err := r.Do(t.Context(), r.points); err == nil ||
		!strings.Contains(err.Error(), "sbatch: sbatch: error: invalid partition specified: nowhere") {
		t.Errorf("error %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := r.Do(t.Context(), r.points); err == nil ||
		!strings.Contains(err.Error(), "sbatch: not found; --slurm needs Slurm's commands") {
		t.Errorf("error %v", err)
	}
}
