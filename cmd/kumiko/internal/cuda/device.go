package cuda

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// deviceHeaders are the headers of device code that go together with the host's own C and C++ library.
var deviceHeaders = []string{
	"kumiko/atomics.h", "kumiko/distributions.h", "kumiko/float.h", "kumiko/integer.h", "kumiko/inverse.h",
	"kumiko/math.h", "kumiko/overloads.h", "kumiko/philox.h", "kumiko/qualifiers.h", "kumiko/spaces.h",
	"kumiko/surface.h", "kumiko/texture.h", "kumiko/vectors.h", "kumiko/warp.h", "kumiko/xorwow.h",
	"cooperative_groups.h", "cooperative_groups/reduce.h", "cuda_bf16.h", "cuda_fp16.h", "curand_kernel.h",
	"math_constants.h", "mma.h"}

// WriteDevice writes the headers of device code into a folder, for a file whose host part is compiled too. They are
// included with the macro __KUMIKO_APPLICATION.
func WriteDevice(dir string) error {
	for _, name := range deviceHeaders {
		text, err := fs.ReadFile(headers, path.Join("include", name))
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// DeviceText returns the text of all these headers, for a fingerprint.
func DeviceText() ([]byte, error) {
	var out []byte
	for _, name := range deviceHeaders {
		text, err := fs.ReadFile(headers, path.Join("include", name))
		if err != nil {
			return nil, err
		}
		out = append(out, text...)
	}
	return out, nil
}
