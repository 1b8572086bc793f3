package launch

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"kumiko/internal/tomldoc"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

const good = `[[launch]]
kernel = "add"
grid = [1]
block = [1]
args = [ {buffer = "x"}, {f32 = 1.0}, {u32 = 2} ]
[buffers.x]
type = "f32"
count = 3
`

// refusal returns the error of a file: "good" with one replacement.
func refusal(t *testing.T, old, new string) string {
	t.Helper()
	if !strings.Contains(good, old) {
		t.Fatalf("%q does not occur", old)
	}
	_, err := Parse("l.toml", []byte(strings.Replace(good, old, new, 1)), module(), Limits{})
	if err == nil {
		t.Fatalf("%q was accepted", new)
	}
	return err.Error()
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown key", "count = 3", "count = 3\nsize = 4",
			`l.toml:9:1: buffers.x: found the unknown key "size", expected one of type, count, init, symbol, module`},
		{"unknown top-level key", "[[launch]]", "x = 1\n[[launch]]",
			`l.toml:1:1: found the unknown key "x", expected one of modules, launch, buffers, textures, expect, save`},
		{"wrong type", "count = 3", "count = 3.5", "l.toml:8:9: buffers.x.count: found a float, expected an integer"},
		{"wrong kind of dims", "grid = [1]", "grid = 1", "l.toml:3:8: launch.grid: found an integer, expected a list"},
		{"no kernel", "kernel = \"add\"\n", "", "l.toml:1:3: launch: found no kernel, expected the name of a kernel"},
		{"unknown kernel", `"add"`, `"sub"`,
			`l.toml:2:10: launch.kernel: found the kernel "sub", expected one of m.ptx: add, pair`},
		{"zero dimension", "grid = [1]", "grid = [1, 0]", "l.toml:3:12: launch.grid: found 0, expected 1 to 65535"},
		{"too many threads", "block = [1]", "block = [512, 4]",
			"l.toml:4:9: launch.block: found 2048 threads per CTA, expected at most 1024"},
		{"wrong block of .reqntid", `"add"`, `"pair"`,
			"l.toml:4:9: launch.block: found a block of [1 1 1], expected [64 1 1] as pair requires (.reqntid)"},
		{"wrong number of arguments", ", {u32 = 2}", "",
			"l.toml:5:8: launch.args: found 2 arguments, expected 3 of add"},
		{"wrong size of an argument", "{u32 = 2}", "{u64 = 2}",
			"launch.args: found an argument of 8 bytes, expected 4 of parameter 2 (n) of add"},
		{"unknown argument type", "{u32 = 2}", "{u33 = 2}",
			`l.toml:5:40: launch.args.u33: found the argument type "u33", expected s8 to s64`},
		{"two keys in an argument", "{u32 = 2}", "{u32 = 2, s32 = 3}",
			"launch.args: found 2 keys in an argument, expected one"},
		{"integer that does not fit", "{u32 = 2}", "{u32 = -1}",
			"l.toml:5:46: launch.args.u32: found -1, expected a value of type u32"},
		{"float for integer", "{u32 = 2}", "{u32 = 2.0}",
			"l.toml:5:46: launch.args.u32: found a float, expected an integer"},
		{"unknown buffer", `"x"`, `"y"`,
			`l.toml:5:20: launch.args.buffer: found the buffer "y", expected one of [buffers]`},
		{"offset past the end", `buffer = "x"`, `buffer = "x", offset = 13`,
			"launch.args.offset: found 13, expected 0 to 12"},
		{"unknown element type", `"f32"`, `"f33"`,
			`l.toml:7:8: buffers.x.type: found the type "f33", expected s8 to s64`},
		{"no count", "count = 3\n", "", `l.toml:6:10: buffers.x: found no count, expected the number of elements`},
		{"unknown init", "count = 3", "count = 3\ninit = {kind = \"random\"}",
			`l.toml:9:16: buffers.x.init.kind: found the init kind "random", expected zeros, constant`},
		{"values of another number", "count = 3", "count = 3\ninit = {kind = \"values\", data = [1.0]}",
			`buffers.x.init.data: found 1 values, expected the 3 of buffer "x"`},
		{"missing file", "count = 3", "count = 3\ninit = {kind = \"file\", path = \"none.bin\"}",
			"l.toml:9:31: buffers.x.init.path: found no file none.bin, expected one of 12 bytes"},
		{"range that overflows", "\"f32\"\ncount = 3",
			"\"u8\"\ncount = 3\ninit = {kind = \"range\", start = 200, step = 100}",
			"buffers.x.init: found a range that ends at 400, expected values of type u8"},
		{"low above high", "count = 3", "count = 3\ninit = {kind = \"uniform\", low = 2.0, high = 1.0}",
			"buffers.x.init: found low = 2 and high = 1, expected low <= high"},
		{"unknown symbol", "count = 3", "count = 3\nsymbol = \"nope\"",
			`l.toml:9:10: buffers.x.symbol: found the symbol "nope", expected a variable of global or constant space of m.ptx`},
		{"symbol too small", "count = 3", "count = 5\nsymbol = \"coef\"",
			"l.toml:9:10: buffers.x.symbol: found 20 bytes for the variable coef, which has 16"},
		{"two expectations in one", "count = 3", "count = 3\n[[expect]]\nbuffer = \"x\"\nvalue = 1.0\nsum = 3.0",
			"l.toml:9:3: expect: found 2 of path, value, data and sum, expected one"},
		{"negative tolerance", "count = 3", "count = 3\n[[expect]]\nbuffer = \"x\"\nvalue = 1.0\nrtol = -1e-3",
			"l.toml:12:8: expect.rtol: found -0.001, expected a number of at least 0"},
		{"save outside", "count = 3", "count = 3\n[[save]]\nbuffer = \"x\"\npath = \"../x\"",
			`l.toml:11:8: save.path: found the path "../x", expected one within the output folder`},
		{"texture without a buffer", "count = 3", "count = 3\n[textures.t]\nwidth = 3",
			"l.toml:9:11: textures.t: found no buffer, expected the name of a buffer"},
		{"texture larger than its buffer", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 4",
			`l.toml:9:11: textures.t: found a texture of 16 bytes, expected at most the 12 of buffer "x"`},
		{"texture without a width", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"",
			`l.toml:9:11: textures.t: found no width, expected its size in texels`},
		{"unknown filter", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\nfilter = \"cubic\"",
			`l.toml:12:10: textures.t.filter: found "cubic", expected point or linear`},
		{"unknown address mode", "count = 3",
			"count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\naddress = [\"clamp\", \"rap\"]",
			`l.toml:12:21: textures.t.address: found "rap", expected clamp, border, wrap or mirror`},
		{"wrap without normalised coordinates", "count = 3",
			"count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\naddress = \"wrap\"",
			"l.toml:9:11: textures.t: found a texture with address mode wrap or mirror of x"},
		{"texture that nothing fetches from", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3",
			`l.toml:9:11: textures.t: found the texture "t", expected a texture reference of m.ptx`},
		{"unknown texture", `{buffer = "x"}`, `{texture = "t"}`,
			`l.toml:5:21: launch.args.texture: found the texture "t", expected one of [textures]`},
		{"list for an argument", "{u32 = 2}", "\n  [ # a comment with a [\n  2]",
			"l.toml:6:3: launch.args: found a list, expected a table"},
		{"empty list for an argument", "{u32 = 2}", "\n{f32 = 1.0}, []",
			"l.toml:6:1: launch.args: found a list, expected a table"},
		{"a table twice", "count = 3", "count = 3\n[buffers.x]", "l.toml:9:2: buffers.x: table x already exists"},
		{"grid that is too large", "grid = [1]", "grid = [1, 65536]",
			"l.toml:3:12: launch.grid: found 65536, expected 1 to 65535"},
		{"too many repetitions", "block = [1]", "block = [1]\nrepeat = 1048577",
			"l.toml:5:10: launch.repeat: found 1048577, expected 1 to 1048576"},
		{"too many launches", "[buffers.x]",
			"repeat = 1000000\n[[launch]]\nkernel = \"few\"\ngrid = [1]\nblock = [1]\nrepeat = 48577\n[buffers.x]",
			"l.toml:7:3: launch: found 1048577 launches up to here, repeats counted, expected at most 1048576 " +
				"(--max-launches 1048576)"},
		{"more memory than a GPU has", "[buffers.x]", "[buffers.a]\ntype = \"f64\"\ncount = 536870912\n[buffers.x]",
			"l.toml:9:10: buffers.x: found 4294967308 bytes of global memory up to here, expected at most 4294967296 " +
				"in all"},
		{"no grid", "grid = [1]\n", "",
			"l.toml:1:3: launch: found no grid, expected its dimensions, such as [256, 1, 1]"},
		{"four dimensions", "grid = [1]", "grid = [1, 1, 1, 1]",
			"l.toml:3:8: launch.grid: found 4 dimensions, expected 1 to 3"},
		{"more threads than .maxntid", "\"add\"\ngrid = [1]\nblock = [1]", "\"few\"\ngrid = [1]\nblock = [64]",
			"l.toml:4:9: launch.block: found 64 threads per CTA, expected at most 32 as few requires (.maxntid)"},
		{"no repetition", "block = [1]", "block = [1]\nrepeat = 0",
			"l.toml:5:10: launch.repeat: found 0, expected 1 to 1048576"},
		{"too many registers", "block = [1]", "block = [1]\nregisters = 256",
			"l.toml:5:13: launch.registers: found 256, expected 0 to 255"},
		{"empty struct", "{u32 = 2}", "{struct = []}",
			"l.toml:5:40: launch.args.struct: found an empty struct, expected members"},
		{"struct that is no list", "{u32 = 2}", "{struct = 1}",
			"l.toml:5:49: launch.args.struct: found an integer, expected a list"},
		{"buffer of a number", `{buffer = "x"}`, `{buffer = 1}`,
			"l.toml:5:20: launch.args.buffer: found an integer, expected a string"},
		{"key beside buffer", `{buffer = "x"}`, `{buffer = "x", size = 1}`,
			`l.toml:5:25: launch.args: found the unknown key "size", expected one of buffer, offset`},
		{"texture that is not bound", `"add"`, `"fetch"`,
			"l.toml:2:10: launch.kernel: found no texture \"t\", which fetch fetches from, expected [textures.t]"},
		{"no launch", "[[launch]]\nkernel = \"add\"\ngrid = [1]\nblock = [1]\nargs = [ {buffer = \"x\"}, {f32 = " +
			"1.0}, {u32 = 2} ]\n", "", "l.toml:1:1: found no [[launch]] of a kernel, expected at least one"},
		{"launch that is a table", "[[launch]]", "[launch]", "l.toml:1:2: launch: found a table, expected a list"},
		{"buffer that is a number", "[buffers.x]\ntype = \"f32\"\ncount = 3", "[buffers]\nx = 3",
			"l.toml:7:5: buffers.x: found an integer, expected a table"},
		{"date", "count = 3", "count = 1979-05-27", "l.toml:8:9: buffers.x.count: found a date, expected an integer"},
		{"constant without its value", "count = 3", "count = 3\ninit = {kind = \"constant\"}",
			"buffers.x.init: found no value, expected the value of every element"},
		{"low above high of integers", "\"f32\"\ncount = 3",
			"\"u8\"\ncount = 3\ninit = {kind = \"uniform\", low = 2, high = 1}",
			"buffers.x.init: found low = 2 and high = 1, expected low <= high"},
		{"start that does not fit", "\"f32\"\ncount = 3", "\"u8\"\ncount = 3\ninit = {kind = \"range\", start = 256}",
			"l.toml:9:33: buffers.x.init.start: found 256, expected 0 to 255"},
		{"folder as a file", "count = 3", "count = 3\ninit = {kind = \"file\", path = \".\"}",
			"l.toml:9:31: buffers.x.init.path: .: found a folder, expected a regular file"},
		{"endless file", "count = 3", "count = 3\ninit = {kind = \"file\", path = \"/dev/zero\"}",
			"l.toml:9:31: buffers.x.init.path: /dev/zero: found a device, expected a regular file"},
		{"save of no buffer", "count = 3", "count = 3\n[[save]]\npath = \"x\"",
			"l.toml:9:3: save: found no buffer, expected the name of a buffer"},
		{"save to one file twice", "count = 3",
			"count = 3\n[[save]]\nbuffer = \"x\"\npath = \"x\"\n[[save]]\nbuffer = \"x\"\npath = \"./x\"",
			`l.toml:14:8: save.path: found "./x" a second time, expected another file`},
		{"four address modes", "count = 3",
			"count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\naddress = [\"clamp\", \"clamp\", \"clamp\", " +
				"\"clamp\"]", "l.toml:12:11: textures.t.address: found 4 address modes, expected one for each " +
				"dimension"},
		{"five channels", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\nchannels = 5",
			"l.toml:12:12: textures.t.channels: found 5, expected 1 to 4"},
		{"flag that is none", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\nnormalized = 1",
			"l.toml:12:14: textures.t.normalized: found an integer, expected a boolean"},
		{"key with a control character", "count = 3", "count = 3\n\"\\u001b[31m\" = 4",
			`l.toml:9:1: buffers.x: found the unknown key "\x1b[31m", expected one of type, count, init, symbol, module`},
		{"buffer with an escape in its name", "[buffers.x]", "[buffers.\"\\u001b[31m\"]\nkount = 1",
			`l.toml:7:1: buffers."\x1b[31m": found the unknown key "kount"`},
		{"integer beyond 64 bits", "count = 3", "count = 99999999999999999999", "l.toml:8:9: buffers.x.count: "},
		{"TOML that is none", "count = 3", "count = ", "l.toml:8:"},
		{"a key twice", "count = 3", "count = 3\ncount = 4", "l.toml:9:1: buffers.x.count: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refusal(t, c.old, c.new); !strings.Contains(got, c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// The other mistakes in the file follow from the mistaken buffer, and are not reported.
func TestABufferOfNoKnownTypeOrCountIsOneMistake(t *testing.T) {
	const rest = `
init = {kind = "values", data = [1.5, 300.0, -7.0]}
symbol = "coef"
[textures.t]
buffer = "x"
width = 3
filter = "linear"
[[expect]]
buffer = "x"
value = 2.5
[[expect]]
buffer = "x"
path = "none.bin"
`
	text := strings.Replace(good, `buffer = "x"`, `buffer = "x", offset = 8`, 1) + rest[1:]
	m := module()
	m.Textures = append(m.Textures, "t")
	for _, c := range []struct{ old, new, want string }{
		{`"f32"`, `"f33"`,
			`l.toml:7:8: buffers.x.type: found the type "f33", expected s8 to s64, u8 to u64, b8 to b64, f16, bf16, f32 or f64`},
		{`"f32"`, `32`, "l.toml:7:8: buffers.x.type: found an integer, expected a string"},
		{"type = \"f32\"\n", "",
			`l.toml:6:10: buffers.x: found no type, expected s8 to s64, u8 to u64, b8 to b64, f16, bf16, f32 or f64`},
		{"count = 3", "count = 0", "l.toml:8:9: buffers.x.count: found 0, expected 1 to 1073741824"},
	} {
		if _, err := Parse("l.toml", []byte(strings.Replace(text, c.old, c.new, 1)), m, Limits{}); err == nil ||
			err.Error() != c.want {
			t.Errorf("%s: got:\n%v\nwant:\n%s", c.new, err, c.want)
		}
	}
}

func TestAFileOfTheWrongSizeIsRefused(t *testing.T) {
	path := write(t, "x.bin", make([]byte, 11))
	got := refusal(t, "count = 3", "count = 3\ninit = {kind = \"file\", path = '"+path+"'}")
	if !strings.Contains(got, path+": found 11 bytes, expected 12") {
		t.Error(got)
	}
}

func TestAllMistakesAreReportedAtOnceInOrder(t *testing.T) {
	_, err := Parse("l.toml", []byte(`[[launch]]
kernel = "nope"
grid = [0]
block = [1]
speed = 3
[buffers.x]
type = "f31"
count = -1
[[save]]
buffer = "z"
path = "p"
`), module(), Limits{})
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	var places []string
	for _, l := range lines {
		places = append(places, strings.Join(strings.Split(l, ":")[:3], ":"))
	}
	want := "l.toml:2:10 l.toml:3:9 l.toml:5:1 l.toml:7:8 l.toml:8:9 l.toml:10:10"
	if got := strings.Join(places, " "); got != want {
		t.Errorf("places %s, want %s\n%v", got, want, err)
	}
}

func TestAFileWithoutALaunchIsRefused(t *testing.T) {
	if _, err := Parse("l.toml", []byte("[buffers.x]\ntype=\"u8\"\ncount=1\n"), module(), Limits{}); err == nil ||
		!strings.Contains(err.Error(), "found no [[launch]]") {
		t.Error(err)
	}
}

// refusing is a runner refusing every launch.
type refusing struct{ err error }

func (r refusing) Launch(*host.Launch) error { return r.err }

// Faults that show only in a run are reported with their place as well.
func TestWhatFailsInARunIsNamedWithItsPlace(t *testing.T) {
	cause := errors.New("a CTA does not fit on an SM")
	p := parse(t, good)
	err := p.Run(&host.Device{Mem: &mem.Memory{}, Runner: refusing{cause}})
	if !errors.Is(err, cause) || err.Error() != "l.toml:2:10: launch 1 (add): a CTA does not fit on an SM" {
		t.Errorf("refused launch: %v", err)
	}
	p = parse(t, good+"[[expect]]\nbuffer = \"x\"\nvalue = 5.0\n")
	d, _ := device()
	var wrong *host.CheckError
	if err := p.Run(d); !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), "l.toml:9:3: ") {
		t.Errorf("wrong result: %v", err)
	}
	p = parse(t, good+"[textures.t]\nbuffer = \"x\"\nwidth = 3\n[[launch]]\nkernel = \"add\"\ngrid = [1]\nblock = "+
		"[1]\nargs = [ {texture = \"t\"}, {f32 = 1.0}, {u32 = 0} ]\n")
	p.textures[0].tex.Width = 1 << 20 // larger than its buffer, past the check of the file
	d, _ = device()
	if err := p.Run(d); err == nil || !strings.HasPrefix(err.Error(), "l.toml:9:11: textures.t: ") {
		t.Errorf("texture that cannot be bound: %v", err)
	}
	p = parse(t, good+"[buffers.y]\ntype = \"f32\"\ncount = 4\nsymbol = \"coef\"\n")
	p.buffers["y"].symbol = "gone"
	d, _ = device()
	if err := p.Run(d); err == nil || !strings.HasPrefix(err.Error(), "l.toml:9:10: buffers.y: ") {
		t.Errorf("buffer that cannot be made: %v", err)
	}
}

var (
	placed = regexp.MustCompile(`^l\.toml:[1-9][0-9]*:[1-9][0-9]*: `)
	keyed  = regexp.MustCompile(placed.String() +
		`(([\w-]+|"[^"]*"(\.\.\. \(\d+ bytes\))?)(\.|: )|found the unknown key |found no \[\[launch\]\])`)
)

// unplaced returns the first message of a refusal that does not begin with a place or, for
// a well-formed document, with a place and a key.
func unplaced(err error) string {
	list, ok := err.(tomldoc.Errors)
	if !ok {
		if placed.MatchString(err.Error()) {
			return ""
		}
		return err.Error()
	}
	for _, e := range list {
		if !keyed.MatchString(e.Error()) {
			return e.Error()
		}
	}
	return ""
}

func TestTheTimeToReadAFileGrowsWithItsSize(t *testing.T) {
	one := strings.TrimSuffix(good, "[buffers.x]\ntype = \"f32\"\ncount = 3\n")
	text := strings.Repeat(one, 20_000) + strings.TrimPrefix(good, one)
	begin := time.Now()
	p, err := Parse("l.toml", []byte(text), module(), Limits{})
	if err != nil || len(p.launches) != 20_000 {
		t.Fatal(err)
	}
	// Some 0.5 s; when the time grew with the square of the size, 20 minutes.
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("20,000 launches took %v", took)
	}
}

func TestManyMistakesAreListedInPart(t *testing.T) {
	_, err := Parse("l.toml", []byte(good+strings.Repeat("[[save]]\nbuffer = \"z\"\n", 1000)), module(), Limits{})
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 21 || lines[20] != "l.toml: and 1980 more" {
		t.Errorf("%d lines, the last %s", len(lines), lines[len(lines)-1])
	}
}

func TestWhatANameHoldsIsCutInMessages(t *testing.T) {
	got := refusal(t, "count = 3", "count = 3\n"+strings.Repeat("k", 1_000_000)+" = 4")
	if len(got) > 400 || !strings.Contains(got,
		"kkk... (1000000 bytes)\", expected one of type, count, init, symbol, module") {
		t.Errorf("%d bytes: %.500s", len(got), got)
	}
}

func TestALaunchFileThatIsNoRegularFileIsRefused(t *testing.T) {
	if _, err := Load("/dev/zero", module()); err == nil ||
		err.Error() != "open /dev/zero: found a device, expected a regular file" {
		t.Errorf("error %v", err)
	}
}

func FuzzLaunch(f *testing.F) {
	f.Add(good)
	f.Add(whole)
	f.Add("[[launch]]\nargs = [ {struct = [{buffer = 3}]} ]\n[buffers]\nx = 3\n")
	f.Add(strings.Replace(good, `{buffer = "x"}`, `{texture = "t"}`, 1) +
		"[textures.t]\nbuffer = \"x\"\nwidth = 3\nfilter = \"linear\"\naddress = [\"wrap\", \"mirror\"]\nnormalized " +
		"= true\n")
	f.Add(strings.Replace(good, "[[launch]]\n",
		"[[launch]]\nwhile = {buffer = \"x\", element = 1, equals = 2, limit = "+
			"3}\nswap = [\"x\", \"x\"]\n[[launch.step]]\nmemset = {buffer = \"x\", first = 1, value = "+
			"0}\n[[launch.step]]\n",
		1))
	f.Add("launch = [1]\nbuffers = 2\nexpect = {a = 1}\n")
	m := module()
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("l.toml", []byte(text), m, Limits{})
		if (p == nil) == (err == nil) {
			t.Fatalf("program %v, error %v", p, err)
		}
		if err != nil && unplaced(err) != "" {
			t.Fatalf("no place: %s", unplaced(err))
		}
	})
}
