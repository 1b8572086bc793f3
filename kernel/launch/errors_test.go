package launch

import (
	"errors"
	"regexp"
	"strings"
	"testing"

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

// refusal is the error of a file that is "good" with one replacement.
func refusal(t *testing.T, old, new string) string {
	t.Helper()
	if !strings.Contains(good, old) {
		t.Fatalf("%q does not occur", old)
	}
	_, err := Parse("l.toml", []byte(strings.Replace(good, old, new, 1)), module())
	if err == nil {
		t.Fatalf("%q was accepted", new)
	}
	return err.Error()
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown key", "count = 3", "count = 3\nsize = 4", `l.toml:9:1: found the unknown key "size", expected one of type, count, init, symbol`},
		{"unknown top-level key", "[[launch]]", "x = 1\n[[launch]]", `l.toml:1:1: found the unknown key "x", expected one of launch, buffers, textures, expect, save`},
		{"wrong type", "count = 3", "count = 3.5", "l.toml:8:9: found a float, expected an integer"},
		{"wrong kind of dims", "grid = [1]", "grid = 1", "l.toml:3:8: found an integer, expected a list"},
		{"no kernel", "kernel = \"add\"\n", "", "l.toml:1:3: found no kernel, expected the name of a kernel"},
		{"unknown kernel", `"add"`, `"sub"`, `l.toml:2:10: found the kernel "sub", expected one of m.ptx: add, pair`},
		{"zero dimension", "grid = [1]", "grid = [1, 0]", "l.toml:3:12: found 0, expected 1 to 65535"},
		{"too many threads", "block = [1]", "block = [512, 4]", "l.toml:4:9: found 2048 threads per CTA, expected at most 1024"},
		{"wrong block of .reqntid", `"add"`, `"pair"`, "l.toml:4:9: found a block of [1 1 1], expected [64 1 1] as pair requires (.reqntid)"},
		{"wrong number of arguments", ", {u32 = 2}", "", "l.toml:5:8: found 2 arguments, expected 3 of add"},
		{"wrong size of an argument", "{u32 = 2}", "{u64 = 2}", "found an argument of 8 bytes, expected 4 of parameter 2 (n) of add"},
		{"unknown argument type", "{u32 = 2}", "{u33 = 2}", `l.toml:5:40: found the argument type "u33", expected s8 to s64`},
		{"two keys in an argument", "{u32 = 2}", "{u32 = 2, s32 = 3}", "found 2 keys in an argument, expected one"},
		{"integer that does not fit", "{u32 = 2}", "{u32 = -1}", "l.toml:5:46: found -1, expected a value of type u32"},
		{"float for integer", "{u32 = 2}", "{u32 = 2.0}", "l.toml:5:46: found a float, expected an integer"},
		{"unknown buffer", `"x"`, `"y"`, `l.toml:5:20: found the buffer "y", expected one of [buffers]`},
		{"offset past the end", `buffer = "x"`, `buffer = "x", offset = 13`, "found offset = 13, expected 0 to 12"},
		{"unknown element type", `"f32"`, `"f33"`, `l.toml:7:8: found the type "f33", expected s8 to s64`},
		{"no count", "count = 3\n", "", `l.toml:6:10: found no count in buffer "x", expected the number of elements`},
		{"unknown init", "count = 3", "count = 3\ninit = {kind = \"random\"}", `l.toml:9:16: found the init kind "random", expected zeros, constant`},
		{"values of another number", "count = 3", "count = 3\ninit = {kind = \"values\", data = [1.0]}", `found 1 values, expected the 3 of buffer "x"`},
		{"missing file", "count = 3", "count = 3\ninit = {kind = \"file\", path = \"none.bin\"}", "l.toml:9:31: found no file none.bin, expected one of 12 bytes"},
		{"range that overflows", "\"f32\"\ncount = 3", "\"u8\"\ncount = 3\ninit = {kind = \"range\", start = 200, step = 100}", "found a range that ends at 400, expected values of type u8"},
		{"low above high", "count = 3", "count = 3\ninit = {kind = \"uniform\", low = 2.0, high = 1.0}", "found low = 2 and high = 1, expected low <= high"},
		{"unknown symbol", "count = 3", "count = 3\nsymbol = \"nope\"", `l.toml:9:10: found the symbol "nope", expected a variable of global or constant space of m.ptx`},
		{"symbol too small", "count = 3", "count = 5\nsymbol = \"coef\"", "l.toml:9:10: found 20 bytes for the variable coef, which has 16"},
		{"two expectations in one", "count = 3", "count = 3\n[[expect]]\nbuffer = \"x\"\nvalue = 1.0\nsum = 3.0", "l.toml:9:3: found 2 of path, value, data and sum, expected one"},
		{"negative tolerance", "count = 3", "count = 3\n[[expect]]\nbuffer = \"x\"\nvalue = 1.0\nrtol = -1e-3", "l.toml:12:8: found rtol = -0.001, expected a number of at least 0"},
		{"save outside", "count = 3", "count = 3\n[[save]]\nbuffer = \"x\"\npath = \"../x\"", `l.toml:11:8: found the path "../x", expected one within the output folder`},
		{"texture without a buffer", "count = 3", "count = 3\n[textures.t]\nwidth = 3", "l.toml:9:11: found no buffer, expected the name of a buffer"},
		{"texture larger than its buffer", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 4", `l.toml:9:11: found a texture of 16 bytes, expected at most the 12 of buffer "x"`},
		{"texture without a width", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"", `l.toml:9:11: found no width in texture "t"`},
		{"unknown filter", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\nfilter = \"cubic\"", `l.toml:12:10: found "cubic", expected point or linear`},
		{"unknown address mode", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\naddress = [\"clamp\", \"rap\"]", `l.toml:12:21: found "rap", expected clamp, border, wrap or mirror`},
		{"wrap without normalised coordinates", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\naddress = \"wrap\"", "l.toml:9:11: found a texture with address mode wrap or mirror of x"},
		{"texture that nothing fetches from", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3", `l.toml:9:11: found the texture "t", expected a texture reference of m.ptx`},
		{"unknown texture", `{buffer = "x"}`, `{texture = "t"}`, `l.toml:5:21: found the texture "t", expected one of [textures]`},
		{"list for an argument", "{u32 = 2}", "\n  [ # a comment with a [\n  2]", "l.toml:6:3: found a list, expected a table"},
		{"empty list for an argument", "{u32 = 2}", "\n{f32 = 1.0}, []", "l.toml:6:1: found a list, expected a table"},
		{"unknown type of a texture", "count = 3", "count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\ntype = \"f31\"", `l.toml:12:8: found the type "f31", expected s8 to s64`},
		{"a table twice", "count = 3", "count = 3\n[buffers.x]", "l.toml:9:2: table x already exists"},
		{"TOML that is none", "count = 3", "count = ", "l.toml:8:"},
		{"a key twice", "count = 3", "count = 3\ncount = 4", "l.toml:9:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refusal(t, c.old, c.new); !strings.Contains(got, c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// What is wrong of the rest of the file follows from nothing but the buffer.
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
		{`"f32"`, `"f33"`, `l.toml:7:8: found the type "f33", expected s8 to s64, u8 to u64, b8 to b64, f32 or f64`},
		{`"f32"`, `32`, "l.toml:7:8: found an integer, expected a string"},
		{"type = \"f32\"\n", "", `l.toml:6:10: found no type in buffer "x", expected s8 to s64, u8 to u64, b8 to b64, f32 or f64`},
		{"count = 3", "count = 0", "l.toml:8:9: found count = 0, expected 1 to 1073741824"},
	} {
		if _, err := Parse("l.toml", []byte(strings.Replace(text, c.old, c.new, 1)), m); err == nil || err.Error() != c.want {
			t.Errorf("%s: got:\n%v\nwant:\n%s", c.new, err, c.want)
		}
	}
}

func TestAFileOfTheWrongSizeIsRefused(t *testing.T) {
	path := write(t, "x.bin", make([]byte, 11))
	got := refusal(t, "count = 3", "count = 3\ninit = {kind = \"file\", path = '"+path+"'}")
	if !strings.Contains(got, "found 11 bytes in "+path+", expected 12") {
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
`), module())
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
	if _, err := Parse("l.toml", []byte("[buffers.x]\ntype=\"u8\"\ncount=1\n"), module()); err == nil || !strings.Contains(err.Error(), "found no [[launch]]") {
		t.Error(err)
	}
}

// refusing is a runner that takes no launch.
type refusing struct{ err error }

func (r refusing) Launch(*host.Launch) error { return r.err }

// What the file alone does not show to be wrong is told with its place as well.
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
	p = parse(t, good+"[textures.t]\nbuffer = \"x\"\nwidth = 3\n[[launch]]\nkernel = \"add\"\ngrid = [1]\nblock = [1]\nargs = [ {texture = \"t\"}, {f32 = 1.0}, {u32 = 0} ]\n")
	p.textures[0].tex.Width = 1 << 20 // larger than its buffer, past the check of the file
	d, _ = device()
	if err := p.Run(d); err == nil || !strings.HasPrefix(err.Error(), "l.toml:9:11: texture") {
		t.Errorf("texture that cannot be bound: %v", err)
	}
	p = parse(t, good+"[buffers.y]\ntype = \"f32\"\ncount = 4\nsymbol = \"coef\"\n")
	p.buffers["y"].symbol = "gone"
	d, _ = device()
	if err := p.Run(d); err == nil || !strings.HasPrefix(err.Error(), "l.toml:9:10: buffer \"y\": ") {
		t.Errorf("buffer that cannot be made: %v", err)
	}
}

var placed = regexp.MustCompile(`^l\.toml:[1-9][0-9]*:[1-9][0-9]*: `)

// unplaced is the first line of a refusal that does not begin with a place.
func unplaced(err error) string {
	list, ok := err.(Errors)
	if !ok {
		if placed.MatchString(err.Error()) {
			return ""
		}
		return err.Error()
	}
	for _, e := range list {
		if !placed.MatchString(e.Error()) {
			return e.Error()
		}
	}
	return ""
}

func FuzzLaunch(f *testing.F) {
	f.Add(good)
	f.Add(whole)
	f.Add("[[launch]]\nargs = [ {struct = [{buffer = 3}]} ]\n[buffers]\nx = 3\n")
	f.Add(strings.Replace(good, `{buffer = "x"}`, `{texture = "t"}`, 1) + "[textures.t]\nbuffer = \"x\"\nwidth = 3\nfilter = \"linear\"\naddress = [\"wrap\", \"mirror\"]\nnormalized = true\n")
	f.Add("launch = [1]\nbuffers = 2\nexpect = {a = 1}\n")
	m := module()
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse("l.toml", []byte(text), m)
		if (p == nil) == (err == nil) {
			t.Fatalf("program %v, error %v", p, err)
		}
		if err != nil && unplaced(err) != "" {
			t.Fatalf("no place: %s", unplaced(err))
		}
	})
}
