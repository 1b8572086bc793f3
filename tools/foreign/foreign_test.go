package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	vendor "kumiko/kernel/cubin/tools"
)

// generate generates the kernel of a seed.
func generate(seed uint64, arch int) *kernel { return generateFor(seed, arch, false) }

// installed returns the compilers, or skips the test if they are not installed.
func installed(t *testing.T) *toolchain {
	t.Helper()
	c, err := newToolchain(t.TempDir())
	if errors.Is(err, errNoClang) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRandomKernelsLeaveTheSameMemoryOnTheEmulatorAndTheHost(t *testing.T) {
	c := installed(t)
	var out bytes.Buffer
	s := settings{kernels: 40, seed: 100_000, batch: 20, out: t.TempDir()}
	if testing.Short() {
		s.kernels = 20
	}
	differs, err := runRandom(&out, c, s)
	if err != nil {
		t.Fatal(err)
	}
	if all := fmt.Sprint(s.kernels, " kernels"); differs || !strings.Contains(out.String(), all) ||
		!strings.Contains(out.String(), "0 not compiled") {
		t.Error(out.String())
	}
}

// make vendor compares more of them.
func TestRandomKernelsLeaveTheSameMemoryAsTheirMachineCode(t *testing.T) {
	if _, err := vendor.Find(); errors.Is(err, vendor.ErrAbsent) {
		t.Skip(err)
	}
	const parts, each = 7, 5
	for i := range parts {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			c := installed(t)
			var out bytes.Buffer
			s := settings{kernels: each, seed: 300_000 + uint64(each*i), batch: 5, code: true}
			wrong, err := runRandom(&out, c, s)
			if err != nil {
				t.Fatal(err)
			}
			if wrong || !strings.Contains(out.String(), "5 kernels") {
				t.Error(out.String())
			}
		})
	}
}

func TestARunInWhichNoKernelCompilesIsAnError(t *testing.T) {
	refuses, err := exec.LookPath("false")
	if err != nil {
		t.Skip(err)
	}
	c := &toolchain{clang: refuses, dir: t.TempDir()}
	s := settings{kernels: 3, seed: 1, batch: 3}
	if _, err := runRandom(io.Discard, c, s); err == nil || !strings.Contains(err.Error(), "3 not compiled") {
		t.Errorf("error %v, want the number of kernels that did not compile", err)
	}
}

func TestAKernelIsTheSameForTheSameSeed(t *testing.T) {
	one, other := unit([]*kernel{generate(7, 80)}), unit([]*kernel{generate(7, 80)})
	if one != other {
		t.Error("two kernels of one seed are not the same")
	}
	if one == unit([]*kernel{generate(8, 80)}) {
		t.Error("kernels of two seeds are the same")
	}
}

// ptxas drops votes on what it knows, for sm_90.
func TestAVoteOnASideOfAnIfIsOnWhatPtxasCannotKnow(t *testing.T) {
	vote, sides := regexp.MustCompile(`(ballot|vote_any|vote_all|vote_uni)\((\w+), `), 0
	for seed := range uint64(300) {
		for l := range strings.Lines(generateFor(seed, 90, true).source()) {
			at := strings.Index(l, " if (")
			if at < 0 || !strings.Contains(l, "} else {") {
				continue
			}
			votes := len(vote.FindAllString(l[at:], -1)) - strings.Count(l[at:], ", true)")
			sides += votes
			if known := votes - strings.Count(l[at:], " == 77)"); known > 0 {
				t.Errorf("seed %d: %d votes on what ptxas may know: %s", seed, known, l)
			}
		}
	}
	if sides == 0 {
		t.Error("no votes on the sides of an if")
	}
}

// Together the kernels use every tested feature of the emulator.
func TestKernelsHaveOfEverything(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(300) {
		all.WriteString(generate(seed, 90).source())
	}
	for _, what := range []string{"for (", "while (", "do {", "switch (", "break;", "continue;", "goto ",
		"return;", "quo<",
		"rem<", "shfl_up(", "shfl64(", "ballot(", "match_any(", "redux_add(", "barrier_count(", "barrier();",
		"atomic_min(",
		"atomic_add64(", "DYNAMIC(", "SHARED ", "CONSTANT ", "struct ", "_deep(", "i4{", "((const c4 *)", "fma_rz(",
		"to_u64_rp(", "narrow_rm(", "__int128", "lop3<", "CALLED ", "(f16)", "prmt_ecl(", "mad64(",
		"#pragma unroll", "} break;", "goto last;", "if (lane() < ", "take(", "take_counting("} {
		if !strings.Contains(all.String(), what) {
			t.Errorf("none of 300 kernels has %q", what)
		}
	}
}

// hostRuns compiles kernels and runs them on the host with other arguments.
func hostRuns(t *testing.T, c *toolchain, list []*kernel, f flavour, args ...string) ([]*job, []result) {
	t.Helper()
	u, err := c.compile(list, f, &tally{})
	if err != nil {
		t.Fatal(err)
	}
	jobs := make([]*job, len(list))
	for i, k := range list {
		if jobs[i], err = newJob(k, u.m); err != nil {
			t.Fatal(err)
		}
	}
	got, err := onHost(u.program, jobs, args...)
	if err != nil {
		t.Fatal(err)
	}
	return jobs, got
}

var plain = flavour{arch: 80, device: []string{"--cuda-gpu-arch=sm_80", "--cuda-feature=+ptx78", "-O1"},
	host: []string{"-O1"}}

func TestTheOrderOfTheHostsThreadsDecidesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	c := installed(t)
	var list []*kernel
	for seed := range uint64(20) {
		list = append(list, generate(200_000+seed, 80))
	}
	jobs, forward := hostRuns(t, c, list, plain)
	_, reversed := hostRuns(t, c, list, plain, "-r")
	if len(forward) != 20 || len(reversed) != 20 {
		t.Fatalf("%d and %d results of 20 kernels", len(forward), len(reversed))
	}
	for i, j := range jobs {
		if d := compare(j, forward[i], reversed[i]); d != nil {
			t.Errorf("%s: %v", j.launch.Kernel, d)
		}
	}
}

// odd returns a kernel that differs between the two sides by one of four statements.
func odd() *kernel {
	k := generate(3, 80)
	k.vars = []*node{line("const u32 gid = cta() * threads() + linear();\nu32 odd = 1;")}
	k.body = []*node{line("odd += 2;"), block("if (odd > 1)", []*node{line("odd ^= gid;"),
		line("#ifdef __CUDA__\nodd += 1;\n#endif"), line("odd *= 3;")}), line("sum32[0] = 0;"), line("odd -= 7;")}
	k.ends = []*node{line("out_i[gid * %d] = odd;", k.outs[0])}
	return k
}

func TestADifferenceIsFoundReducedAndKept(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	c := installed(t)
	var sum tally
	found, err := c.batch([]*kernel{generate(1, 80), odd(), generate(2, 80)}, plain, &sum)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].kernel.seed != 3 || found[0].diff == nil || sum.differ != 1 {
		t.Fatalf("found %v, expected the kernel that differs", found)
	}
	if d := found[0].diff; d.buffer != "out_i" || d.index != 0 {
		t.Errorf("the first difference is at %v, expected out_i[0]", d)
	}
	dir := t.TempDir()
	if err := c.keep(found[0], dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "3", "kernel.cu"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("#ifdef __CUDA__")) || bytes.Contains(text, []byte("odd *= 3")) ||
		bytes.Contains(text, []byte("odd -= 7")) {
		t.Errorf("found\n%s\nexpected the statement that differs alone", text)
	}
	for _, name := range []string{"whole.cu", "kernel.ptx", "what.txt"} {
		if b, err := os.ReadFile(filepath.Join(dir, "3", name)); err != nil || len(b) == 0 {
			t.Errorf("%s: %v, %d bytes", name, err, len(b))
		}
	}
}

func TestAKernelThatStopsTheHostDoesNotTakeOthersWithIt(t *testing.T) {
	c := installed(t)
	bad := generate(4, 80)
	bad.body = append(bad.body, line("#ifndef __CUDA__\n__builtin_trap();\n#endif"))
	var sum tally
	found, err := c.batch([]*kernel{generate(1, 80), bad, generate(2, 80)}, plain, &sum)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].kind != failed || found[0].kernel.seed != 4 || sum.kernels != 3 {
		t.Errorf("found %v, expected one that failed", found)
	}
}

func TestAKernelThatClangRefusesIsNamedAlone(t *testing.T) {
	c := installed(t)
	bad := generate(4, 80)
	bad.body = append(bad.body, line("not C++;"))
	var sum tally
	found, err := c.batch([]*kernel{generate(1, 80), bad}, plain, &sum)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].kind != notCompiled || sum.notCompiled != 1 || sum.runs == 0 {
		t.Errorf("found %v, %+v, expected one that is not compiled", found, sum)
	}
}

func TestTheBuiltInKernelsAreComparedLaunchByLaunch(t *testing.T) {
	if testing.Short() {
		t.Skip("seven seconds")
	}
	c := installed(t)
	t.Chdir("../..")
	var out bytes.Buffer
	differs, err := runBuiltin(&out, c, settings{})
	if err != nil {
		t.Fatal(err)
	}
	if differs || !strings.Contains(out.String(), "48 applications are equal") {
		t.Error(out.String())
	}
}

func TestAMissingCompilerIsSaid(t *testing.T) {
	t.Setenv("CLANG", "no-such-compiler")
	if _, err := newToolchain(t.TempDir()); !errors.Is(err, errNoClang) {
		t.Errorf("found %v", err)
	}
}

func TestAnAnswerThatIsCutOffIsAnError(t *testing.T) {
	j := &job{}
	if _, err := answer(strings.NewReader("12345678"), j); err == nil {
		t.Error("found no error for an answer that begins wrong")
	}
	if _, err := answer(strings.NewReader("1234"), j); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("found %v", err)
	}
}
