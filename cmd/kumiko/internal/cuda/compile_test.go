package cuda

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAWholeProgramCompilesForItsDevicePart(t *testing.T) {
	for _, arch := range []string{"sm_52", "sm_70", "sm_90"} {
		m := compiled(t, filepath.Join("testdata", "program.cu"), &Options{Arch: arch})
		var kernels, variables []string
		for _, k := range m.Kernels {
			kernels = append(kernels, k.Name)
		}
		for _, v := range m.Vars {
			variables = append(variables, v.Name)
		}
		slices.Sort(kernels)
		if !slices.Equal(kernels, []string{"_Z5saxpyIfLi256EEvi4PairIT_EPKS1_PS1_", "largest"}) || len(m.Refused) > 0 ||
			!slices.Equal(variables, []string{"weights", "counter"}) || m.Target != arch {
			t.Errorf("%s: target %s, kernels %q, %d refused, variables %q", arch, m.Target, kernels, len(m.Refused),
				variables)
		}
	}
}

func TestPlacesAreThoseOfTheStatements(t *testing.T) {
	m := compiled(t, filepath.Join("testdata", "program.cu"), &Options{})
	lines := map[int32]int{}
	for _, in := range m.Kernel("largest").Insts {
		lines[in.Line]++
	}
	// From "float4 v" to the end of the kernel, and nothing else.
	for line, n := range lines {
		if line < 51 || line > 62 {
			t.Errorf("%d instructions of line %d, want lines 51 to 62", n, line)
		}
	}
	if len(lines) < 6 {
		t.Errorf("instructions of %d lines, want at least 6", len(lines))
	}
}

func TestFunctionsWithoutAnImplementationAreErrorsOfTheUsersLine(t *testing.T) {
	needClang(t)
	for call, want := range map[string]string{
		"exp((double)x)":             "'exp' is unavailable: exp of a double is not available without libdevice: ",
		"pow(x, 2.0)":                "pow of a double is not available without libdevice: use powf",
		"sin(2)":                     "sin of a double is not available without libdevice: use sinf",
		"lgammaf(x)":                 "lgammaf is not available without libdevice: write it from logf",
		"__reduce_add_sync(~0u, 1u)": "__reduce_add_sync needs --arch sm_80 or a newer one",
	} {
		_, err := compile(t, "\n__global__ void k(float *p, float x) {\n  *p = "+call+";\n}\n", &Options{})
		if err == nil || !strings.Contains(err.Error(), "file.cu:3:8: error: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in line 3", call, err, want)
		}
	}
	for call, want := range map[string]string{
		"__match_any_sync(~0u, 1)":     "__match_any_sync needs --arch sm_70 or a newer one",
		"atomicAdd((double *)p, 1.0)":  "atomicAdd of a double needs --arch sm_60 or a newer one",
		"__dp4a(1, 2, 3)":              "__dp4a needs --arch sm_61 or a newer one",
		"__nanosleep(5), 0":            "__nanosleep needs --arch sm_70 or a newer one",
		"__match_all_sync(~0u, 1, &i)": "__match_all_sync needs --arch sm_70 or a newer one",
	} {
		_, err := compile(t, "__global__ void k(float *p, int i) { *p = ("+call+"); }\n", &Options{Arch: "sm_52"})
		fails(t, err, want)
	}
}

func TestDefinesAndFoldersOfIncludesAreUsed(t *testing.T) {
	needClang(t)
	text := "#include \"program.cu\"\n__global__ void k(int *p) { *p = COUNT; }\n"
	if _, err := compile(t, text, &Options{Includes: []string{"testdata"}, Defines: []string{"COUNT=5"}}); err != nil {
		t.Error(err)
	}
	_, err := compile(t, text, &Options{Defines: []string{"COUNT=5"}})
	fails(t, err, "'program.cu' file not found")
	_, err = compile(t, text, &Options{Includes: []string{"testdata"}})
	fails(t, err, "undeclared identifier 'COUNT'")
}

func TestMacrosOfTheUserDoNotSpoilTheHeaders(t *testing.T) {
	needClang(t)
	var text strings.Builder
	var macros []string
	for c := 'A'; c <= 'Z'; c++ {
		macros = append(macros, string(c)+"=5", string(c)+string(c)+"(a, b)=a - b")
	}
	entries, err := headers.ReadDir("include")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			text.WriteString("#include <" + e.Name() + ">\n")
		}
	}
	text.WriteString("__global__ void k(int *p) { *p = N + MM(5, 3); }\n")
	if _, err := compile(t, text.String(), &Options{Defines: macros}); err != nil {
		t.Error(err)
	}
}

func TestMacrosWithoutANameAreRefused(t *testing.T) {
	for _, bad := range []string{"", "=5", "5=N", "N=5\n#error", "a b", `N=5\`} {
		_, err := defines([]string{bad})
		fails(t, err, "expected NAME or NAME=VALUE")
	}
	text, err := defines([]string{"N", "M=", "F(x, y)=x - y"})
	if err != nil || string(text) != "#define N 1\n#define M \n#define F(x, y) x - y\n" {
		t.Errorf("text %q, error %v", text, err)
	}
}
