// Package cuda compiles files of CUDA C++ to PTX by an installed clang, without a CUDA toolkit. Its folder include
// has the headers: the part of CUDA C++ for device code, and declarations for the host's part of a file. The
// host's part is parsed, but not compiled.
package cuda

import "strconv"

// Oldest is the oldest major version of clang whose builtin functions the headers use.
const Oldest = 19

// DefaultArch is the architecture if Options names none. sm_70 is the oldest that has every function of the headers but
// __reduce_add_sync and the other warp reductions.
const DefaultArch = "sm_70"

// names are the names under which clang is looked for, after the environment variable CLANG.
var names = []string{"clang-19", "clang-20", "clang-21", "clang"}

// Options are the settings of a compilation.
type Options struct {
	Arch     string   // such as sm_80; empty: DefaultArch
	Includes []string // folders for #include, beside the file's own
	Defines  []string // macros, NAME or NAME=VALUE
}

// arch returns the architecture.
func (o *Options) arch() string {
	if o.Arch == "" {
		return DefaultArch
	}
	return o.Arch
}

// PTXVersion returns the version of PTX for an architecture, as in clang's feature +ptx63.
func PTXVersion(arch string) (string, error) { return ptxVersion(arch) }

// ptxVersion returns the version of PTX for an architecture, as in clang's feature +ptx63: for old architectures the
// one in scripts/kernels.sh, for newer ones the first version that has them.
func ptxVersion(arch string) (string, error) {
	digits := archName.FindStringSubmatch(arch)
	if digits == nil {
		return "", errArch(arch)
	}
	n, err := strconv.Atoi(digits[1])
	switch {
	case err != nil, n < 50:
		return "", errArch(arch)
	case n <= 75:
		return "63", nil
	case n <= 90 && digits[2] == "":
		return "78", nil
	case n <= 90:
		return "80", nil
	}
	return "86", nil
}
