package cuda

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fake writes programs that stand for clang into a folder, and makes the folder the PATH. Each tells its version;
// body is what they do otherwise, in sh.
func fake(t *testing.T, versions map[string]string, body string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, version := range versions {
		text := fmt.Sprintf("#!/bin/sh\nif [ \"$1\" = -dumpversion ]; then echo %s; exit; fi\n%s\n", version, body)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("CLANG", "")
	return dir
}

// fails requires an error with a text.
func fails(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}

func TestWithoutClangTheErrorSaysWhatToInstall(t *testing.T) {
	fake(t, nil, "")
	_, err := Find(t.Context())
	fails(t, err, "found no clang, which compiles .cu files, expected clang 19 or newer: install it (on Debian and "+
		"Ubuntu: apt install clang-19) or name it in the environment variable CLANG")
}

func TestAnOldClangIsRefusedWithItsVersion(t *testing.T) {
	fake(t, map[string]string{"clang": "14.0.6"}, "")
	_, err := Find(t.Context())
	fails(t, err, `clang: found clang "14.0.6", expected 19 or newer`)
}

func TestTheFirstClangThatIsNewEnoughIsTaken(t *testing.T) {
	fake(t, map[string]string{"clang": "22.1.0", "clang-20": "20.1.8"}, "")
	c, err := Find(t.Context())
	if err != nil || c.Version != "20.1.8" {
		t.Errorf("%+v, error %v; want version 20.1.8", c, err)
	}
}

func TestTheEnvironmentNamesAClang(t *testing.T) {
	dir := fake(t, map[string]string{"clang-19": "19.1.7", "mine": "21.1.0"}, "")
	t.Setenv("CLANG", filepath.Join(dir, "mine"))
	if c, err := Find(t.Context()); err != nil || c.Version != "21.1.0" {
		t.Errorf("%+v, error %v; want version 21.1.0", c, err)
	}
	t.Setenv("CLANG", "none-such")
	_, err := Find(t.Context())
	fails(t, err, "CLANG=none-such: ")
}

func TestErrorsOfTheFileAreClangsOwnText(t *testing.T) {
	fake(t, map[string]string{"clang-19": "19.1.7"}, `
for i; do
  case $i in */include) where=$i;; esac
done
echo "x.cu:3:4: error: expected ';'" >&2
echo "$where/math.h:1:1: note: here" >&2
echo "1 error generated when compiling for sm_70." >&2
exit 1`)
	_, err := Compile(t.Context(), t.TempDir(), "x.cu", &Options{})
	want := "x.cu:3:4: error: expected ';'\n<kumiko>/include/math.h:1:1: note: here"
	if err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestAClangThatEndsWithoutAWordIsReported(t *testing.T) {
	fake(t, map[string]string{"clang-19": "19.1.7"}, "exit 3")
	_, err := Compile(t.Context(), t.TempDir(), "x.cu", &Options{})
	fails(t, err, "clang 19.1.7: exit status 3")
}

func TestOptionsReachClang(t *testing.T) {
	fake(t, map[string]string{"clang-19": "19.1.7"}, `for i; do echo "$i"; done`)
	out, err := Compile(t.Context(), t.TempDir(), "-x.cu", &Options{Arch: "sm_90a", Includes: []string{"inc"},
		Defines: []string{"N=5"}})
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Split(strings.TrimSpace(string(out.PTX)), "\n")
	for _, want := range []string{"--cuda-gpu-arch=sm_90a", "--cuda-feature=+ptx80", "-Iinc", "./-x.cu"} {
		if !slices.Contains(args, want) {
			t.Errorf("arguments %q, want %s among them", args, want)
		}
	}
	if out.Compiler != "clang 19.1.7, sm_90a" {
		t.Errorf("compiler %q", out.Compiler)
	}
}

func TestArchitecturesWithoutSupportAreRefused(t *testing.T) {
	fake(t, map[string]string{"clang-19": "19.1.7"}, "")
	for _, arch := range []string{"sm_35", "compute_70", "70", "sm_7", "sm_9000"} {
		_, err := Compile(t.Context(), t.TempDir(), "x.cu", &Options{Arch: arch})
		fails(t, err, "--arch "+arch+": expected an architecture from sm_50 on, such as sm_70")
	}
	for arch, want := range map[string]string{"sm_52": "63", "sm_75": "63", "sm_80": "78", "sm_90": "78",
		"sm_90a": "80", "sm_100": "86", "sm_120a": "86"} {
		if got, err := ptxVersion(arch); err != nil || got != want {
			t.Errorf("%s: version %s, error %v; want %s", arch, got, err, want)
		}
	}
}
