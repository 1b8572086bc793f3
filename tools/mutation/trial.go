package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/packages"
)

// The outcomes of a mutant.
const (
	killed     = "killed"
	survived   = "survived"
	unreached  = "not reached"
	equivalent = "equivalent"
)

// A trial is a package with all its mutants compiled into the binaries of its tests.
type trial struct {
	dir     string // of the package
	tests   []tests
	mutants []mutant
	outcome []string // by mutant
	whole   usage    // of the unchanged tests
	short   usage    // of the unchanged tests with -short
}

// tests are the tests of a package, or of its machine folder.
type tests struct {
	dir, binary string
	flags       []string // for every run
}

// usage is the time taken by one run of the tests.
type usage struct{ processor, elapsed time.Duration }

// compile builds the tests of pkg, and those of its machine folder, with every mutant. An operator refused by the
// compiler in its rewritten form is left unchanged.
func compile(pkg *packages.Package, root, work string) (*trial, error) {
	r := &rewriter{pkg: pkg, root: root, refused: map[string]bool{}}
	t := &trial{dir: pkg.Dir}
	args := []string{"test", "-c", "-o", work + "/", "-overlay", filepath.Join(work, "overlay.json"), pkg.PkgPath}
	// The tests of a design in whole machines stand in a folder of their own (CONTRIBUTING.md).
	if exists(filepath.Join(pkg.Dir, "machine")) {
		args = append(args, pkg.PkgPath+"/machine")
	}
	for range 10 {
		if err := r.overlay(work); err != nil {
			return nil, err
		}
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.add(pkg.Dir, filepath.Join(work, path.Base(pkg.PkgPath)+".test"))
			t.add(filepath.Join(pkg.Dir, "machine"), filepath.Join(work, "machine.test"))
			t.mutants = r.mutants
			t.outcome = make([]string, len(r.mutants))
			return t, nil
		}
		if !r.refuse(out) {
			return nil, fmt.Errorf("%s: the rewritten package does not compile:\n%s", pkg.PkgPath, out)
		}
	}
	return nil, fmt.Errorf("%s: the rewritten package does not compile", pkg.PkgPath)
}

// add adds the tests of a folder, if it has any.
func (t *trial) add(dir, binary string) {
	if exists(binary) {
		t.tests = append(t.tests, tests{dir: dir, binary: binary})
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// draw keeps a random sample of n mutants in order. It keeps all if n is 0 or at least their number. The sample of
// a package is the same in each run.
func (t *trial) draw(n int) {
	if n == 0 || n >= len(t.mutants) {
		return
	}
	drawn := rand.New(rand.NewPCG(0, 0)).Perm(len(t.mutants))[:n]
	slices.Sort(drawn)
	for i, k := range drawn {
		t.mutants[i] = t.mutants[k]
	}
	t.mutants, t.outcome = t.mutants[:n], t.outcome[:n]
}

// overlay writes the rewritten files, and the overlay table for the compiler.
func (r *rewriter) overlay(work string) error {
	r.mutants = nil
	replace := map[string]string{}
	write := func(name string, text []byte) error {
		path := filepath.Join(work, filepath.Base(name))
		replace[name] = path
		return os.WriteFile(path, text, 0o600)
	}
	for i, tree := range r.pkg.Syntax {
		name := r.pkg.CompiledGoFiles[i]
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := write(name, r.scan(tree, name, source)); err != nil {
			return err
		}
	}
	text := fmt.Appendf(nil, switchFile, r.pkg.Name)
	if err := write(filepath.Join(r.pkg.Dir, "zz_mutant_switch.go"), text); err != nil {
		return err
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(work, "overlay.json"), table, 0o600)
}

var compilerPlace = regexp.MustCompile(`(?m)^(?:vet: )?(\S+\.go):(\d+):\d+: `)

// refuse records the lines of compiler errors. It returns false if no line is new.
func (r *rewriter) refuse(out []byte) bool {
	found := false
	for _, m := range compilerPlace.FindAllSubmatch(out, -1) {
		for _, f := range r.pkg.CompiledGoFiles {
			if filepath.Base(f) != filepath.Base(string(m[1])) {
				continue
			}
			place := strings.TrimPrefix(f, r.root+"/") + ":" + string(m[2])
			found = found || !r.refused[place]
			r.refused[place] = true
		}
	}
	return found
}

// measure runs the unchanged tests, and finds the mutants not reached by them. With short it leaves out the long
// tests.
func (t *trial) measure(work string, short bool) error {
	t.quicken()
	hits := filepath.Join(work, "hits")
	flag := fmt.Sprintf("-test.short=%v", short)
	out, ok := t.run(context.Background(), 0, []string{"KUMIKO_MUTANT_HITS=" + hits}, flag)
	if !ok {
		return fmt.Errorf("%s: the tests fail without a mutant:\n%s", t.dir, out)
	}
	reached := map[int]bool{}
	text, err := os.ReadFile(hits)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for word := range bytes.FieldsSeq(text) {
		id, err := strconv.Atoi(string(word))
		if err != nil {
			return err
		}
		reached[id] = true
	}
	for i, m := range t.mutants {
		if !reached[m.id] {
			t.outcome[i] = unreached
		}
	}
	if t.short, err = t.time("-test.short"); err != nil || short {
		return err
	}
	t.whole, err = t.time("-test.short=false")
	return err
}

// quicken makes property tests neither shrink a counterexample nor write it beside the source. Tests without rapid
// do not accept its flags.
func (t *trial) quicken() {
	flags := []string{"-rapid.shrinktime=1ms", "-rapid.nofailfile"}
	for i := range t.tests {
		if exec.Command(t.tests[i].binary, append(flags, "-test.list=^$")...).Run() == nil {
			t.tests[i].flags = flags
		}
	}
}

func (t *trial) time(flag string) (usage, error) {
	cmd := t.command(context.Background(), 0, nil, flag)
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return usage{}, fmt.Errorf("%s: the tests fail without a mutant:\n%s", t.dir, out)
	}
	return usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(begin)}, nil
}

// try runs the tests against each reached mutant, on several workers. The long tests run only against mutants that
// survive the short ones.
func (t *trial) try(workers int, done func()) {
	var next sync.Mutex
	at := 0
	take := func() int {
		next.Lock()
		defer next.Unlock()
		for at < len(t.mutants) && t.outcome[at] != "" {
			at++
		}
		at++
		return at - 1
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := take(); i < len(t.mutants); i = take() {
				t.outcome[i] = t.verdict(t.mutants[i].id)
				done()
			}
		})
	}
	all.Wait()
}

func (t *trial) verdict(id int) string {
	if t.dies(id, "-test.short", t.short) {
		return killed
	}
	if t.whole.processor > t.short.processor*3/2 && t.dies(id, "-test.short=false", t.whole) {
		return killed
	}
	return survived
}

// dies reports whether the tests fail with the mutant. A mutant that takes many times the processor time of the
// unchanged tests is assumed to have made a loop endless.
func (t *trial) dies(id int, flag string, normal usage) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 20*normal.elapsed+60*time.Second)
	defer cancel()
	limit := int((4*normal.processor + 2*time.Second).Seconds())
	_, ok := t.run(ctx, limit, []string{"KUMIKO_MUTANT=" + strconv.Itoa(id)}, flag)
	return !ok
}

func (t *trial) run(ctx context.Context, seconds int, environment []string, flag string) ([]byte, bool) {
	out, err := t.command(ctx, seconds, environment, flag).CombinedOutput()
	return out, err == nil
}

// command returns the command that runs the tests, those of one folder after those of another, with a memory limit
// and, if seconds is not 0, a limit of processor time for each.
func (t *trial) command(ctx context.Context, seconds int, environment []string, flag string) *exec.Cmd {
	bounds := "ulimit -v 8000000; "
	if seconds > 0 {
		bounds += fmt.Sprintf("ulimit -t %d; ", seconds)
	}
	script := bounds + "true"
	for _, x := range t.tests {
		script += fmt.Sprintf(` && cd '%s' && '%s' -test.failfast %s %s`, x.dir, x.binary, flag,
			strings.Join(x.flags, " "))
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Env = append(append(os.Environ(), "GOMAXPROCS=1"), environment...)
	return cmd
}
