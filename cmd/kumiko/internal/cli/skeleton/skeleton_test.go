package skeleton

import (
	"slices"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/kernel/ir"
)

func TestTheTypesOfParametersAreReadFromMangledNames(t *testing.T) {
	for name, want := range map[string][]string{
		"plain":                      nil,
		"_Z5firstfPKiPdt":            {"float", "int const*", "double*", "unsigned short"},
		"_Z5scaleIdEvPT_PKS0_j":      {"double*", "double const*", "unsigned int"},
		"_Z4mapsPFiiEPA4_K4PairIfdE": {"int (*)(int)", "Pair<float, double> const (*) [4]"},
	} {
		if got := mangledTypes(name); !slices.Equal(got, want) {
			t.Errorf("%s: types %q, want %q", name, got, want)
		}
	}
}

func TestPointersAreBuffersAndAddressesOfFunctionsNumbers(t *testing.T) {
	long := &ir.ParamDecl{Type: ir.U64, Size: 8, Count: 1}
	for typ, want := range map[string]string{"float *": `{buffer = "p"}`, "const int (*)[4]": `{buffer = "p"}`,
		"int (*)(int)": "{u64 = ?}", "unsigned long": "{u64 = ?}", "": `{buffer = "p"}`} {
		var s skeleton
		if got, _ := s.argument(long, cuda.Param{Name: "p", Type: typ}); got != want {
			t.Errorf("%q: %s, want %s", typ, got, want)
		}
		if len(s.buffers) == 1 && typ == "const int (*)[4]" && s.buffers[0].elem != "s32" {
			t.Errorf("%q: a buffer of %s, want s32", typ, s.buffers[0].elem)
		}
	}
}

func TestTypesOfCHaveTheNamesOfLaunchFiles(t *testing.T) {
	for name, want := range map[string]struct {
		elem  string
		lanes int
	}{"const float": {"f32", 1}, "unsigned  long long": {"u64", 1}, "float4": {"f32", 4}, "const uchar2": {"u8", 2},
		"__half": {"f16", 1}, "half2": {"f16", 2}, "__half2": {"f16", 2}, "Box": {"", 0}, "": {"", 0},
		"box4": {"", 0}} {
		if elem, lanes := scalarOf(name); elem != want.elem || lanes != want.lanes {
			t.Errorf("%q: %s, %d lanes; want %s, %d", name, elem, lanes, want.elem, want.lanes)
		}
	}
}

func FuzzMangledNamesHaveTypes(f *testing.F) {
	for _, name := range []string{"plain", "_Z5firstfPKiPdt", "_Z4mapsPFiiEPA4_K4PairIfdE", "_Zplss",
		"_Z1fIXgtLi1ELi2EEEvv"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s := skeleton{kernels: []*ir.Kernel{{Name: name, Params: []ir.ParamDecl{{Name: "p", Type: ir.U64, Size: 8},
			{Name: "s", Type: ir.B8, Array: true, Size: 3}, {Name: "f", Type: ir.F32, Size: 4}}}}}
		if text := s.text(); strings.Count(text, "\n  {") != 3 {
			t.Errorf("%s: text\n%s", name, text)
		}
		mangledTypes(name)
	})
}
