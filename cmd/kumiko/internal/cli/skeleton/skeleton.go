package skeleton

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
)

// skeleton is a launch file to fill in.
type skeleton struct {
	program, file string
	kernels       []*ir.Kernel
	params        map[string][]cuda.Param // by kernel; none for PTX

	buffers  []skeletonBuffer
	textures []string

	constants []ir.Var // the variables of the module
}

// skeletonBuffer is a buffer of the file.
type skeletonBuffer struct {
	name, elem, doc string
	input           bool
}

// text returns the file.
func (s *skeleton) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Launches of the kernels of %s. Fill in every question mark, then\n"+
		"# kumiko run %s --launch %s\n"+
		"# docs/launch-files.md shows the other keys. A pointer is the address of a buffer; launches share\n"+
		"# buffers by name.\n", s.program, s.program, s.file)
	for _, k := range s.kernels {
		s.launch(&b, k)
	}
	for _, x := range s.buffers {
		fmt.Fprintf(&b, "\n[buffers.%s]\n%s", x.name, lineOfFile("type  = "+strconv.Quote(x.elem), x.doc))
		b.WriteString(lineOfFile("count = ?", "elements"))
		if x.input {
			b.WriteString(lineOfFile("init  = "+initial(x.elem), "or constant, range, values, file, zeros"))
		} else {
			b.WriteString(lineOfFile("# init  = "+initial(x.elem), "zeros without it"))
		}
	}
	s.symbols(&b)
	for _, name := range s.textures {
		fmt.Fprintf(&b, "\n[textures.%s]\n%s%s", name, lineOfFile(`buffer = "?"`, "the buffer of the texels"),
			lineOfFile("width  = ?", "in texels; height, depth, channels, filter: docs/launch-files.md"))
	}
	if i := slices.IndexFunc(s.buffers, func(x skeletonBuffer) bool { return !x.input }); i >= 0 {
		name := s.buffers[i].name
		b.WriteString("\n" + lineOfFile("# [[expect]]", "what must come out: value, data, path or sum"))
		fmt.Fprintf(&b, "# buffer = %q\n# path   = %q\n# rtol   = 1e-5\n", name, name+"_expected.bin")
		b.WriteString(lineOfFile("# [[save]]", "what run --out DIR keeps"))
		fmt.Fprintf(&b, "# buffer = %q\n# path   = %q\n", name, name+".bin")
	}
	return b.String()
}

// bare matches a key of TOML without quotes.
var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// free returns the key of a further buffer, by the name of what it stands for.
func (s *skeleton) free(name string) string {
	for slices.ContainsFunc(s.buffers, func(x skeletonBuffer) bool { return x.name == name }) {
		name += "_symbol"
	}
	if bare.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// symbols adds a buffer for each constant that the kernels name and the program gives no value: only a host sets it.
func (s *skeleton) symbols(b *strings.Builder) {
	for i := range s.constants {
		v := &s.constants[i]
		named := func(k *ir.Kernel) bool { _, ok := k.Named[v.Name]; return ok }
		if v.Space != ir.Const || v.Init != nil || !slices.ContainsFunc(s.kernels, named) {
			continue
		}
		elem, count := "b32", v.Size/4
		if v.Size%4 != 0 {
			elem, count = "b8", v.Size
		}
		fmt.Fprintf(b, "\n[buffers.%s]\n%s%s%s%s", s.free(launch.Shown(v.Name)),
			lineOfFile("symbol = "+strconv.Quote(v.Name), "the constant, which is zero unless this sets it"),
			lineOfFile("type  = "+strconv.Quote(elem), fmt.Sprintf("or f32 and others of %d bytes in all", v.Size)),
			lineOfFile(fmt.Sprintf("count = %d", count), "elements"),
			lineOfFile(`init  = {kind = "values", data = [?]}`, "or constant, range, uniform, file, zeros"))
	}
}

// lineOfFile returns a line with a comment.
func lineOfFile(text, comment string) string {
	if comment == "" {
		return text + "\n"
	}
	return fmt.Sprintf("%-32s # %s\n", text, comment)
}

// initial returns how a new launch file fills a buffer with elements of a type: floats with random numbers, others with
// 0, 1, 2 and so on.
func initial(elem string) string {
	switch elem[0] {
	case 'f':
		return `{kind = "uniform", low = 0.0, high = 1.0, seed = 1}`
	case '?':
		return `{kind = "zeros"}`
	}
	return `{kind = "range", start = 0, step = 1}`
}

// launch adds the launch of a kernel, and its buffers.
func (s *skeleton) launch(b *strings.Builder, k *ir.Kernel) {
	name := launch.Shown(k.Name)
	for _, other := range s.kernels {
		if other != k && launch.Shown(other.Name) == name {
			name = k.Name
		}
	}
	fmt.Fprintf(b, "\n[[launch]]\n%s", lineOfFile("kernel = "+strconv.Quote(name), ""))
	b.WriteString(lineOfFile("grid   = [?]", "CTAs: [x], [x, y] or [x, y, z]"))
	switch n := k.ReqThreads; {
	case n[0] > 0:
		fmt.Fprintf(b, "%s", lineOfFile(fmt.Sprintf("block  = [%d, %d, %d]", n[0], max(n[1], 1), max(n[2], 1)),
			"threads of a CTA, as the kernel requires"))
	case k.MaxThreads[0] > 0:
		b.WriteString(lineOfFile("block  = [?]", fmt.Sprintf("threads of a CTA, at most %d",
			k.MaxThreads[0]*max(k.MaxThreads[1], 1)*max(k.MaxThreads[2], 1))))
	default:
		b.WriteString(lineOfFile("block  = [?]", "threads of a CTA"))
	}
	b.WriteString(lineOfFile("# dynamic_shared = 0", "bytes of a CTA's extern __shared__ variable"))
	if len(k.Params) == 0 {
		return
	}
	b.WriteString("args   = [\n")
	declared := s.declared(k)
	for i := range k.Params {
		text, doc := s.argument(&k.Params[i], declared[i])
		b.WriteString(lineOfFile("  "+text+",", doc))
	}
	b.WriteString("]\n")
}

// declared returns the parameters of a kernel as its source declares them, as far as that is known.
func (s *skeleton) declared(k *ir.Kernel) []cuda.Param {
	out := s.params[k.Name]
	if len(out) == len(k.Params) {
		for i := range out {
			out[i].Name = cmp.Or(out[i].Name, fmt.Sprintf("p%d", i))
		}
		return out
	}
	types := mangledTypes(k.Name)
	out = make([]cuda.Param, len(k.Params))
	for i := range out {
		out[i].Name = k.Params[i].Name
		if out[i].Name == fmt.Sprintf("%s_param_%d", k.Name, i) { // a compiler's
			short := demangle.Filter(k.Name, demangle.NoParams, demangle.NoTemplateParams)
			out[i].Name = fmt.Sprintf("%s_p%d", short, i)
		}
		if len(types) == len(out) {
			out[i].Type = types[i]
		}
	}
	return out
}

// mangledTypes returns the types of the parameters in a mangled name of C++; none: the name is plain.
func mangledTypes(name string) (types []string) {
	text := demangle.Filter(name)
	if text == name || !strings.HasSuffix(text, ")") {
		return nil
	}
	depth, end := 0, len(text)-1
	for i := end; i >= 0; i-- {
		switch c := text[i]; {
		case c == ')' || c == '>' || c == ']':
			depth++
		case c == '(' || c == '<' || c == '[':
			depth--
		}
		if depth == 0 || depth == 1 && text[i] == ',' {
			types = append(types, strings.TrimSpace(text[i+1:end]))
			end = i
		}
		if depth == 0 {
			break
		}
	}
	slices.Reverse(types)
	return types
}

// argument returns an argument and its description. A pointer adds a buffer.
func (s *skeleton) argument(d *ir.ParamDecl, p cuda.Param) (text, doc string) {
	doc = strings.TrimSpace(p.Name + ": " + p.Type)
	unknown := p.Type == ""
	if unknown {
		doc = fmt.Sprintf("%s: .%s in the PTX", p.Name, d.Type)
	}
	elem, lanes := scalarOf(p.Type)
	switch {
	case p.Type == cuda.Texture:
		if !slices.Contains(s.textures, p.Name) {
			s.textures = append(s.textures, p.Name)
		}
		return fmt.Sprintf("{texture = %q}", p.Name), doc
	case strings.Contains(p.Type, "(*)("): // the address of a function
	case !d.Array && strings.Contains(p.Type, "*"):
		pointee := strings.TrimSpace(p.Type[:strings.IndexAny(p.Type, "*(")])
		return fmt.Sprintf("{buffer = %q}", s.buffer(p, pointee)), doc
	case unknown && !d.Array && d.Size == 8 && !d.Type.Float():
		return fmt.Sprintf("{buffer = %q}", s.buffer(p, "")), doc + "; if it is a number, {u64 = ?} and no buffer"
	case lanes > 1 && d.Size%lanes == 0:
		return fmt.Sprintf("{struct = [%s]}", strings.TrimSuffix(strings.Repeat("{"+elem+" = ?}, ", lanes), ", ")), doc
	case d.Array && d.Size%4 == 0:
		return fmt.Sprintf("{struct = [%s]}", strings.TrimSuffix(strings.Repeat("{b32 = ?}, ", d.Size/4), ", ")),
			fmt.Sprintf("%s, %d bytes: or its members by type and order", doc, d.Size)
	case d.Array:
		return fmt.Sprintf("{struct = [%s]}", strings.TrimSuffix(strings.Repeat("{u8 = ?}, ", d.Size), ", ")),
			fmt.Sprintf("%s, %d bytes: or its members by type and order", doc, d.Size)
	}
	if elem == "" || sizes[elem] != d.Size {
		elem = d.Type.String()
	}
	return fmt.Sprintf("{%s = ?}", elem), doc
}

// buffer adds the buffer of a pointer and returns its name. Parameters of one name and type share it.
func (s *skeleton) buffer(p cuda.Param, pointee string) string {
	elem, lanes := scalarOf(pointee)
	x := skeletonBuffer{name: notBare.ReplaceAllString(p.Name, "_"), elem: elem, doc: p.Type,
		input: slices.Contains(strings.Fields(pointee), "const")}
	switch {
	case pointee == "":
		x.elem, x.doc = "?", "such as f32 or s32"
	case elem == "":
		x.elem, x.doc = "b8", "bytes of "+pointee
	case lanes > 1:
		x.doc = fmt.Sprintf("%d for each %s", lanes, strings.TrimPrefix(pointee, "const "))
	}
	for n := 2; ; n++ {
		i := slices.IndexFunc(s.buffers, func(o skeletonBuffer) bool { return o.name == x.name })
		if i < 0 {
			s.buffers = append(s.buffers, x)
			return x.name
		}
		if s.buffers[i].elem == x.elem {
			s.buffers[i].input = s.buffers[i].input && x.input
			return x.name
		}
		x.name = fmt.Sprintf("%s_%d", strings.TrimSuffix(x.name, fmt.Sprintf("_%d", n-1)), n)
	}
}

// notBare matches what a TOML key without quotes cannot have.
var notBare = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// scalars are the launch file's names of the types of C++.
var scalars = map[string]string{"bool": "u8", "char": "s8", "signed char": "s8", "unsigned char": "u8", "short": "s16",
	"unsigned short": "u16", "int": "s32", "unsigned int": "u32", "long": "s64", "unsigned long": "u64",
	"long long": "s64", "unsigned long long": "u64", "float": "f32", "double": "f64", "__half": "f16",
	"_Float16": "f16", "uchar": "u8", "ushort": "u16", "uint": "u32", "ulong": "u64", "longlong": "s64",
	"ulonglong": "u64", "half": "f16"}

var sizes = map[string]int{"u8": 1, "s8": 1, "u16": 2, "s16": 2, "f16": 2, "u32": 4, "s32": 4, "f32": 4, "u64": 8,
	"s64": 8, "f64": 8}

var vector = regexp.MustCompile(`^(?:__)?([a-z]+)([1-4])$`)

// scalarOf returns the launch file's name of a type of C++, and how many there are in a vector type.
func scalarOf(name string) (elem string, lanes int) {
	words := slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		return w == "const" || w == "volatile" || w == "struct"
	})
	name = strings.Join(words, " ")
	if elem := scalars[name]; elem != "" {
		return elem, 1
	}
	if m := vector.FindStringSubmatch(name); m != nil && scalars[m[1]] != "" {
		return scalars[m[1]], int(m[2][0] - '0')
	}
	return "", 0
}
