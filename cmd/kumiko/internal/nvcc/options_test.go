package nvcc

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func parse(t *testing.T, line string) *Options {
	t.Helper()
	o, err := Parse(strings.Fields(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return o
}

func TestValuesOfFlagsAreJoinedOrNot(t *testing.T) {
	for _, line := range []string{
		"-I inc -DN=4 -D M -Llib -lfoo -o app a.cu b.cpp -Xcompiler -Wall,-fopenmp -arch=sm_80",
		"-Iinc -D N=4 -DM -L lib -l foo -oapp a.cu b.cpp --compiler-options=-Wall,-fopenmp -arch sm_80",
		"--include-path inc --define-macro=N=4 --define-macro M --library-path=lib --library foo --output-file app " +
			"a.cu b.cpp -Xcompiler=-Wall -Xcompiler -fopenmp --gpu-architecture=compute_80",
	} {
		o := parse(t, line)
		if !slices.Equal(o.both, []string{"-I", "inc", "-DN=4", "-DM"}) || o.Output != "app" ||
			!slices.Equal(o.host, []string{"-Wall", "-fopenmp"}) || !slices.Contains(o.linking, "-Llib") ||
			!slices.Contains(o.linking, "-fopenmp") || o.Arch() != "sm_80" || len(o.Warnings) > 0 {
			t.Errorf("%s: found %+v", line, o)
		}
		if want := []string{"a.cu", "b.cpp", "-lfoo"}; !sameElements(o.Inputs, want) {
			t.Errorf("%s: inputs %q, want %q", line, o.Inputs, want)
		}
	}
}

func sameElements(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func TestTheNewestArchitectureWithinBoundsIsChosen(t *testing.T) {
	for line, want := range map[string]string{
		"a.cu": "sm_70", "-arch=sm_13 a.cu": "sm_50", "-arch sm_100 a.cu": "sm_90",
		"-gencode arch=compute_60,code=sm_61 -gencode=arch=compute_75,code=compute_75 a.cu": "sm_75",
		"-arch=native a.cu": "sm_70",
	} {
		if got := parse(t, line).Arch(); got != want {
			t.Errorf("%s: found %s, want %s", line, got, want)
		}
	}
}

func TestFlagsWithoutAnEffectGetAWarningWhereCodeWouldDiffer(t *testing.T) {
	for line, want := range map[string]int{
		"-lineinfo -Xptxas -v --ptxas-options=-v -ccbin g++-11 -m64 a.cu": 0,
		"-maxrregcount=32 a.cu":      1,
		"-prec-div=false a.cu":       1,
		"-dc a.cu":                   0,
		"--no-such-flag a.cu":        1,
		"-lcudart -lcuda -lm a.cu":   0,
		"-use_fast_math -O3 -g a.cu": 0,
		"-lm -o a.o -c a.cu":         0,
	} {
		if got := parse(t, line).Warnings; len(got) != want {
			t.Errorf("%s: warnings %q, want %d", line, got, want)
		}
	}
}

func TestAWrongCommandLineIsRefusedWithARemedy(t *testing.T) {
	for line, want := range map[string]string{
		"":                      "expected one such as app.cu",
		"-o":                    "-o: its value is missing",
		"-c -o x.o a.cu b.cu":   "found 2 input files",
		"-cubin a.cu":           "expected -c, -ptx or a program",
		"-arch=big a.cu":        "expected an architecture such as sm_70",
		"a.cu --define-macro":   "its value is missing",
		"-gencode=arch=x5 a.cu": "expected an architecture such as sm_70",
	} {
		if _, err := Parse(strings.Fields(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, want %q", line, err, want)
		}
	}
}

func TestAToolkitsHeadersComeAfterOurOwn(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cuda_runtime_api.h"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-I" + dir}, {"-I", dir}, {"-isystem", dir}} {
		o, err := Parse(append(args, "-c", "a.cu"))
		if err != nil || !slices.Equal(o.both, []string{"-idirafter", dir}) {
			t.Errorf("%q: found %q, %v, want the folder behind all others", args, o.both, err)
		}
	}
}
