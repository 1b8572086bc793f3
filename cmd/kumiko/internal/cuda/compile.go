package cuda

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed include
var headers embed.FS

// Output is a compiled file.
type Output struct {
	PTX      []byte
	Lines    []Place // of the file, for each line of the PTX
	Warnings string  // of clang, lines separated by newlines
	Compiler string  // clang's version and the architecture
}

// Compile compiles a file. dir is an empty folder for the headers; the caller removes the folder. An error in the
// file is clang's own text, with the file and the line.
func Compile(ctx context.Context, dir, file string, o *Options) (*Output, error) {
	c, args, err := prepare(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	// Short pointers make addresses of shared, local and constant memory 32 bits wide, as in nvcc's code.
	args = append(args, "-O2", "-fcuda-short-ptr", "-mllvm", "--nvptx-short-ptr", "-gline-directives-only",
		"-Wno-pass-failed", "-S", "-o", "-", input(file))
	text, warnings, err := c.run(ctx, dir, args)
	if err != nil {
		return nil, err
	}
	out := &Output{Warnings: warnings, Compiler: "clang " + c.Version + ", " + o.arch()}
	out.PTX, out.Lines = clean(string(text), file)
	return out, nil
}

// prepare finds clang, writes the headers and returns the arguments common to all uses.
func prepare(ctx context.Context, dir string, o *Options) (*Clang, []string, error) {
	version, err := ptxVersion(o.arch())
	if err != nil {
		return nil, nil, err
	}
	c, err := Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := os.CopyFS(dir, headers); err != nil {
		return nil, nil, err
	}
	include := filepath.Join(dir, "include")
	args := []string{"-x", "cuda", "-std=c++17", "--cuda-device-only", "--cuda-gpu-arch=" + o.arch(),
		"--cuda-feature=+ptx" + version, "-nocudainc", "-nocudalib", "-nostdlibinc", "-isystem", include,
		"-include", "kumiko/cuda.h", "-fno-color-diagnostics"}
	for _, i := range o.Includes {
		args = append(args, "-I"+i)
	}
	if len(o.Defines) > 0 {
		text, err := defines(o.Defines)
		if err != nil {
			return nil, nil, err
		}
		file := filepath.Join(dir, "defines.h")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, nil, err
		}
		args = append(args, "-include", file)
	}
	return c, args, nil
}

var macro = regexp.MustCompile(`^([A-Za-z_]\w*(?:\([\w, .]*\))?)(=[^\n]*)?$`)

// defines returns a header with macros. The header is included after Kumiko's own headers. Macros given to clang as
// arguments would be defined before these headers, and would replace equal names in them.
func defines(list []string) ([]byte, error) {
	var b []byte
	for _, d := range list {
		m := macro.FindStringSubmatch(d)
		if m == nil || strings.HasSuffix(d, `\`) { // the line after it would be a part of the value
			return nil, fmt.Errorf("--define %q: expected NAME or NAME=VALUE", d)
		}
		value := "1"
		if m[2] != "" {
			value = m[2][1:]
		}
		b = fmt.Appendf(b, "#define %s %s\n", m[1], value)
	}
	return b, nil
}

// input returns a file's name as an argument.
func input(file string) string {
	if strings.HasPrefix(file, "-") {
		return "." + string(os.PathSeparator) + file
	}
	return file
}
