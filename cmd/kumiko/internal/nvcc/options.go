package nvcc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kumiko/cmd/kumiko/internal/cuda"
)

// stage is the last stage of a compilation.
type stage int

const (
	link stage = iota
	object
	deviceLink
	ptx
	preprocess
)

// Options are a command line of nvcc.
type Options struct {
	Inputs   []string // source files, objects and libraries, in order, with options of the linker between them
	Output   string
	Warnings []string // about options without an effect here

	stage  stage
	asCUDA bool // -x cu
	// relocatable: device code may refer to that of other files. The runtime library links it.
	relocatable bool
	both        []string
	host        []string
	device      []string
	linking     []string
	archs       []int
	std         string
}

// alone are options without a value and without an effect on the code of kernels here.
var alone = []string{"-lineinfo", "--generate-line-info", "-G", "--device-debug", "-m64", "--machine=64",
	"-extended-lambda", "--extended-lambda", "--expt-extended-lambda", "-expt-extended-lambda",
	"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", "-Wno-deprecated-gpu-targets", "--no-compress",
	"-keep", "--keep", "-res-usage", "--resource-usage", "-use-local-env", "--source-in-ptx"}

// valued are options with a value and without an effect here.
var valued = []string{"-ccbin", "--compiler-bindir", "-cudart", "--cudart", "-Xptxas", "--ptxas-options", "-Xnvlink",
	"-Xfatbin", "--fatbin-options", "-odir", "--threads", "-t", "--machine", "-m", "-diag-suppress", "--diag-suppress"}

// ownLibraries are the toolkit's libraries that Kumiko's runtime stands for.
var ownLibraries = []string{"cudart", "cudart_static", "cudadevrt", "cuda", "pthread"}

// Parse reads a command line.
func Parse(args []string) (*Options, error) {
	o := &Options{}
	for i := 0; i < len(args); i++ {
		n, err := o.option(args[i], args[i+1:])
		if err != nil {
			return nil, err
		}
		i += n
	}
	return o, o.check()
}

func (o *Options) check() error {
	files := slices.DeleteFunc(slices.Clone(o.Inputs), func(in string) bool { return strings.HasPrefix(in, "-l") })
	if len(files) == 0 {
		return fmt.Errorf("found no input file, expected one such as app.cu: kumiko nvcc -o app app.cu")
	}
	if o.stage != link && o.stage != deviceLink && o.Output != "" && len(files) > 1 {
		return fmt.Errorf("-o %s: found %d input files, expected one together with -c", o.Output, len(files))
	}
	return nil
}

// option reads an option or a file, and returns how many of the arguments behind it belong to it.
func (o *Options) option(arg string, rest []string) (used int, err error) {
	if !strings.HasPrefix(arg, "-") || arg == "-" {
		o.Inputs = append(o.Inputs, arg)
		return 0, nil
	}
	switch arg {
	case "-c", "--compile":
		o.stage = object
		return 0, nil
	case "-dc", "--device-c":
		o.stage, o.relocatable = object, true
		return 0, nil
	case "-dw", "--device-w":
		o.stage = object
		return 0, nil
	case "-dlink", "--device-link":
		o.stage = deviceLink
		return 0, nil
	case "-ptx", "--ptx":
		o.stage = ptx
		return 0, nil
	case "-E", "--preprocess":
		o.stage = preprocess
		return 0, nil
	case "-g", "--debug":
		o.host = append(o.host, "-g")
		return 0, nil
	case "-w", "--disable-warnings":
		o.both = append(o.both, "-w")
		return 0, nil
	case "-shared", "--shared":
		o.linking = append(o.linking, "-shared")
		return 0, nil
	case "-use_fast_math", "--use_fast_math":
		o.device = append(o.device, "-fcuda-flush-denormals-to-zero", "-fcuda-approx-transcendentals",
			"-ffp-contract=fast")
		return 0, nil
	case "-cubin", "--cubin", "-fatbin", "--fatbin":
		return 0, fmt.Errorf("%s: found an output in the vendor's format, expected -c, -ptx or a program", arg)
	}
	if slices.Contains(alone, arg) || strings.HasPrefix(arg, "-O") && len(arg) == 3 {
		if strings.HasPrefix(arg, "-O") {
			o.host = append(o.host, arg)
		}
		return 0, nil
	}
	return o.withValue(arg, rest)
}

// spellings are the long names of options with values, and other forms of the short ones.
var spellings = map[string]string{"--output-file": "-o", "--include-path": "-I", "--define-macro": "-D",
	"--undefine-macro": "-U", "--library-path": "-L", "--library": "-l", "--optimize": "-O", "--std": "-std",
	"--gpu-architecture": "-arch", "--generate-code": "-gencode", "--gpu-code": "-code",
	"--compiler-options": "-Xcompiler", "--linker-options": "-Xlinker", "--maxrregcount": "-maxrregcount",
	"--pre-include": "-include", "--relocatable-device-code": "-rdc", "--fmad": "-fmad", "--ftz": "-ftz",
	"--prec-div": "-prec-div", "--prec-sqrt": "-prec-sqrt", "--output-directory": "-odir",
	"--default-stream": "-default-stream"}

// withValue reads an option with a value: joined to it, behind an equals sign, or the next argument.
func (o *Options) withValue(arg string, rest []string) (used int, err error) {
	name, value, joined := strings.Cut(arg, "=")
	if short := spellings[name]; short != "" {
		name = short
	} else if p := prefix(arg); p != "" && !strings.HasPrefix(arg, "--") {
		name, value, joined = p, strings.TrimPrefix(arg, p), true
		if p == "-I" || p == "-L" {
			value = strings.TrimPrefix(value, "=")
		}
	}
	known := slices.Contains(valued, name) || takesValue[name]
	if !known {
		o.warn(arg, "it is unknown")
		return 0, nil
	}
	if !joined {
		if len(rest) == 0 {
			return 0, fmt.Errorf("%s: its value is missing", arg)
		}
		value, used = rest[0], 1
	}
	if slices.Contains(valued, name) {
		return used, nil
	}
	return used, o.set(name, value)
}

var takesValue = map[string]bool{"-o": true, "-I": true, "-D": true, "-U": true, "-L": true, "-l": true, "-O": true,
	"-std": true, "-arch": true, "-gencode": true, "-code": true, "-Xcompiler": true, "-Xlinker": true,
	"-maxrregcount": true, "-include": true, "-rdc": true, "-fmad": true, "-ftz": true, "-prec-div": true,
	"-prec-sqrt": true, "-x": true, "-isystem": true, "-default-stream": true}

// prefix returns the option whose value may be joined to it without an equals sign.
func prefix(arg string) string {
	for _, p := range []string{"-I", "-D", "-U", "-L", "-l", "-o"} {
		if strings.HasPrefix(arg, p) && len(arg) > len(p) && arg != "-lineinfo" && arg != "-odir" {
			return p
		}
	}
	return ""
}

// set sets an option.
func (o *Options) set(name, value string) error {
	switch name {
	case "-o":
		o.Output = value
	case "-D", "-U":
		o.both = append(o.both, name+value)
	case "-include":
		o.both = append(o.both, name, value)
	case "-I", "-isystem":
		if _, err := os.Stat(filepath.Join(value, "cuda_runtime_api.h")); err == nil {
			name = "-idirafter" // a toolkit: its headers beside Kumiko's are wanted, such as those of Thrust
		}
		o.both = append(o.both, name, value)
	case "-L":
		o.linking = append(o.linking, "-L"+value)
	case "-l":
		if !slices.Contains(ownLibraries, value) {
			o.Inputs = append(o.Inputs, "-l"+value)
		}
	case "-O":
		o.host = append(o.host, "-O"+value)
	case "-std":
		o.std = value
	case "-arch", "-gencode", "-code":
		return o.arch(name, value)
	case "-Xcompiler":
		o.compiler(value)
	case "-Xlinker":
		for _, v := range strings.Split(value, ",") {
			o.linking = append(o.linking, "-Wl,"+v)
		}
	case "-x":
		o.asCUDA = value == "cu"
	case "-fmad":
		if value == "false" {
			o.device = append(o.device, "-ffp-contract=off")
		}
	case "-ftz":
		if value == "true" {
			o.device = append(o.device, "-fcuda-flush-denormals-to-zero")
		}
	case "-maxrregcount":
		o.warn(name+"="+value, "give the registers of a thread to the simulated GPU")
	case "-default-stream":
		return o.defaultStream(value)
	case "-rdc":
		o.relocatable = value == "true"
	case "-prec-div", "-prec-sqrt":
		if value == "false" {
			o.warn(name+"="+value, "divisions and roots stay exact")
		}
	}
	return nil
}

// defaultStream sets the stream of calls that name none. A macro is needed beside clang's own option, because the
// option changes kernel launches only, and not the other calls of the runtime.
func (o *Options) defaultStream(value string) error {
	switch value {
	case "legacy", "null":
	case "per-thread":
		o.both = append(o.both, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", "-Xclang", "-fgpu-default-stream=per-thread")
	default:
		return fmt.Errorf("-default-stream %s: expected legacy or per-thread", value)
	}
	return nil
}

// compiler reads options for the compiler of the host's part. Those meant for its linker are passed to the linker.
func (o *Options) compiler(value string) {
	for _, v := range strings.Split(strings.Trim(value, `"`), ",") {
		for _, v := range strings.Fields(v) {
			if v == "-fopenmp" {
				o.linking = append(o.linking, v)
			}
			o.host = append(o.host, v)
		}
	}
}

var archNumber = regexp.MustCompile(`(?:sm|compute)_(\d+)[af]?`)

func (o *Options) arch(name, value string) error {
	if value == "native" || value == "all" || value == "all-major" {
		return nil
	}
	found := archNumber.FindAllStringSubmatch(value, -1)
	if found == nil {
		return fmt.Errorf("%s %s: expected an architecture such as sm_70", name, value)
	}
	for _, m := range found {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return fmt.Errorf("%s %s: expected an architecture such as sm_70", name, value)
		}
		o.archs = append(o.archs, n)
	}
	return nil
}

// oldest and newest are the architectures that clang makes PTX for, and that Kumiko runs.
const (
	oldest = 50
	newest = 90
)

// Arch returns the architecture to compile for: the newest of the command line, or the nearest to it that can be
// compiled for.
func (o *Options) Arch() string {
	if len(o.archs) == 0 {
		return cuda.DefaultArch
	}
	return fmt.Sprintf("sm_%d", min(max(slices.Max(o.archs), oldest), newest))
}

func (o *Options) warn(arg, why string) {
	o.Warnings = append(o.Warnings, fmt.Sprintf("warning: %s has no effect: %s", arg, why))
}

// isCUDA reports whether an input is a file of CUDA C++.
func (o *Options) isCUDA(file string) bool {
	return filepath.Ext(file) == ".cu" || o.asCUDA && isSource(file)
}

// isSource reports whether an input is a file of C or C++.
func isSource(file string) bool {
	return slices.Contains([]string{".c", ".cc", ".cpp", ".cxx", ".C"}, filepath.Ext(file))
}
