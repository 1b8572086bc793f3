package cuda

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParametersHaveNamesAndTypes(t *testing.T) {
	needClang(t)
	file := filepath.Join(t.TempDir(), "x.cu")
	text := `typedef unsigned int u32;
struct S { int a; float b; };
template <class T> __global__ void scale(T *__restrict__ to, const T *from, u32 n) {}
template __global__ void scale<double>(double *, const double *, u32);
extern "C" __global__ void k(S s, bool *flags, float4 v, size_t, const int (*rows)[4]);
__global__ void k(S s, bool *flags, float4 v, size_t, const int (*rows)[4]) {}
namespace inner { __global__ void none() {} }
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Params(t.Context(), t.TempDir(), file, &Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]Param{
		"_Z5scaleIdEvPT_PKS0_j": {{"to", "double *__restrict"}, {"from", "const double *"}, {"n", "unsigned int"}},
		"k": {{"s", "S"}, {"flags", "bool *"}, {"v", "float4"}, {"", "unsigned long"},
			{"rows", "const int (*)[4]"}},
		"_ZN5inner4noneEv": {},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
