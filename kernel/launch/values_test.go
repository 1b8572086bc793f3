package launch

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kumiko/kernel/host"
)

func TestAListOfValuesIsRepeatedOrFilledUp(t *testing.T) {
	for _, c := range []struct {
		text string
		want []byte
	}{
		{`init = {kind = "values", data = [1, 2], repeat = true}`, []byte{1, 2, 1, 2, 1}},
		{`init = {kind = "values", data = [7], repeat = true}`, []byte{7, 7, 7, 7, 7}},
		{`init = {kind = "values", data = [1, 2], fill = 9}`, []byte{1, 2, 9, 9, 9}},
		{`init = {kind = "values", data = [1, 2, 3, 4, 5], repeat = false}`, []byte{1, 2, 3, 4, 5}},
	} {
		if got := contents(t, "type = \"u8\"\ncount = 5\n"+c.text); !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x, want % x", c.text, got, c.want)
		}
	}
}

func TestHalvesAreRoundedToNearestEven(t *testing.T) {
	for _, c := range []struct {
		typ, values string
		want        []byte
	}{
		// 1 + 2^-11 lies between 1 and the next f16, an odd one; 65520 is beyond the largest by half a unit; 2^-25
		// is half of the smallest.
		{"f16", "[1, -2.5, 1.00048828125, 65520, 2.98023223876953125e-8, 6e-8]",
			[]byte{0, 0x3c, 0, 0xc1, 0, 0x3c, 0, 0x7c, 0, 0, 1, 0}},
		// 1 + 2^-8 lies between 1 and the next bf16; 1 + 3*2^-8 between odd and even.
		{"bf16", "[1, -2.5, 1.00390625, 1.01171875, 1e39, 0.0]",
			[]byte{0x80, 0x3f, 0x20, 0xc0, 0x80, 0x3f, 0x82, 0x3f, 0x80, 0x7f, 0, 0}},
	} {
		got := contents(t, "type = \""+c.typ+"\"\ncount = 6\ninit = {kind = \"values\", data = "+c.values+"}")
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x, want % x", c.typ, got, c.want)
		}
	}
}

// idle is a program with an empty kernel.
const idle = "[[launch]]\nkernel = \"few\"\ngrid = [1]\nblock = [1]\n"

// wrongIn returns the failing check of a program with an empty kernel; nil: none.
func wrongIn(t *testing.T, text string) *host.CheckError {
	t.Helper()
	p := parse(t, idle+text)
	d, _ := device()
	err := p.Run(d)
	var wrong *host.CheckError
	if err != nil && !errors.As(err, &wrong) {
		t.Fatal(err)
	}
	if len(p.Expects()) == 0 {
		t.Fatal("nothing was compared")
	}
	return wrong
}

func TestHalvesAreComparedWithATolerance(t *testing.T) {
	for typ, ulp := range map[string]string{"f16": "0.0009765625", "bf16": "0.0078125"} { // of 1
		buffer := "[buffers.h]\ntype = \"" + typ + "\"\ncount = 2\ninit = {kind = \"constant\", value = 1}\n"
		expect := "[[expect]]\nbuffer = \"h\"\nvalue = 1.0078125\natol = "
		if typ == "f16" {
			expect = "[[expect]]\nbuffer = \"h\"\nvalue = 1.0009765625\natol = "
		}
		if wrong := wrongIn(t, buffer+expect+ulp); wrong != nil {
			t.Errorf("%s within the tolerance: %v", typ, wrong)
		}
		wrong := wrongIn(t, buffer+expect+"0.0009")
		if wrong == nil || wrong.Mismatches != 2 || !strings.HasPrefix(wrong.First, "element 0 is 1, expected 1.00") {
			t.Errorf("%s beyond the tolerance: %v", typ, wrong)
		}
	}
}

func TestAPartOfABufferIsCompared(t *testing.T) {
	const buffer = "[buffers.x]\ntype = \"u16\"\ncount = 6\ninit = {kind = \"range\"}\n[[expect]]\nbuffer = \"x\"\n"
	for _, right := range []string{"first = 2\ncount = 3\ndata = [2, 3, 4]", "first = 4\ndata = [4, 5]",
		"count = 2\ndata = [0, 1]", "first = 1\ncount = 2\nsum = 3.0", "first = 3\ncount = 1\nvalue = 3",
		"data = [0, 1, 2]\nfill = 4\natol = 1.0"} {
		if wrong := wrongIn(t, buffer+right); wrong != nil {
			t.Errorf("%s: %v", right, wrong)
		}
	}
	for text, first := range map[string]string{
		"first = 2\ncount = 3\ndata = [2, 8, 4]": "element 3 is 3, expected 8",
		"first = 5\nvalue = 0":                   "element 5 is 5, expected 0",
		"data = [0, 1]\nrepeat = true":           "element 2 is 2, expected 0",
	} {
		if wrong := wrongIn(t, buffer+text); wrong == nil || wrong.First != first {
			t.Errorf("%s: %v, want %s", text, wrong, first)
		}
	}
}

// followPTX adds 1 to each of the words that the addresses in a table point to.
const followPTX = `.version 6.3
.target sm_52
.address_size 64
.const .u32 limit = 7;
.entry follow(.param .u64 table)
{
	.reg .u32 %r<4>; .reg .u64 %d<4>;
	mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 8; ld.param.u64 %d2, [table]; add.u64 %d2, %d2, %d1;
	ld.global.u64 %d3, [%d2]; ld.global.u32 %r2, [%d3]; add.u32 %r2, %r2, 1; st.global.u32 [%d3], %r2; ret;
}
`

func TestABufferHoldsTheAddressesOfOthers(t *testing.T) {
	m := mustParse(t, "follow.ptx", []byte(followPTX))
	p, err := Parse("l.toml", []byte(`[[launch]]
kernel = "follow"
grid = [1]
block = [4]
args = [{buffer = "table"}]
[buffers.table] # before the buffers that it names
type = "u64"
count = 5
init = {kind = "values", data = [{buffer = "x", offset = 4}, {buffer = "y"}, {buffer = "table", offset = 32}], repeat = true}
[buffers.x]
type = "u32"
count = 3
[buffers.y]
type = "u32"
count = 1
init = {kind = "constant", value = 10}
[[expect]]
buffer = "x"
data = [0, 1, 0] # both lanes loaded 0
[[expect]]
buffer = "y"
value = 11
[[expect]]
buffer = "table"
count = 4
data = [{buffer = "x", offset = 4}, {buffer = "y"}, {buffer = "table", offset = 32}, {buffer = "x", offset = 4}]
[[expect]]
buffer = "table"
first = 4
data = [{buffer = "y", offset = 1}] # it held the address of y
`), m, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if err := runOnEmulator(t, p); err != nil {
		t.Error(err)
	}
	if n := len(p.Expects()); n != 4 {
		t.Errorf("%d comparisons, want 4", n)
	}
}

func TestMistakesInListsAndPartsAreNamedWithTheirPlace(t *testing.T) {
	const expect = "count = 3\n[[expect]]\nbuffer = \"x\"\n"
	for _, c := range []struct{ new, want string }{
		{"count = 3\ninit = {kind = \"values\", data = [1.0], repeat = true, fill = 2.0}",
			"l.toml:9:62: buffers.x.init.fill: found repeat and fill, expected one of them"},
		{"count = 3\ninit = {kind = \"values\", data = [], repeat = true}",
			`buffers.x.init.data: found 0 values, expected 1 to the 3 of buffer "x"`},
		{"count = 3\ninit = {kind = \"values\", data = [1, 2, 3, 4], fill = 0}",
			`buffers.x.init.data: found 4 values, expected 1 to the 3 of buffer "x"`},
		{"count = 3\ninit = {kind = \"values\", data = [1], fill = \"x\"}",
			"l.toml:9:45: buffers.x.init.fill: found a string, expected a float"},
		{"count = 3\ninit = {kind = \"values\", data = [1], repeat = 3}",
			"l.toml:9:47: buffers.x.init.repeat: found an integer, expected a boolean"},
		{"count = 3\ninit = {kind = \"values\", data = [{buffer = \"x\"}], fill = 0}",
			"buffers.x.init.data: found a table for a value of type f32, expected a number; an address is one of " +
				"b64, u64"},
		{"count = 3\n[buffers.p]\ntype = \"u64\"\ncount = 1\ninit = {kind = \"values\", data = [{buffer = \"y\"}]}",
			`l.toml:12:44: buffers.p.init.data.buffer: found the buffer "y", expected one of [buffers]`},
		{"count = 3\n[buffers.p]\ntype = \"u64\"\ncount = 1\ninit = {kind = \"values\", data = [{texture = \"y\"}]}",
			`buffers.p.init.data: found no buffer, expected the name of a buffer`},
		{"count = 3\n[buffers.p]\ntype = \"u64\"\ncount = 1\ninit = {kind = \"values\", data = [{buffer = \"x\", " +
			"offset = 13}]}",
			`buffers.p.init.data.offset: found 13, expected 0 to 12`},
		{expect + "first = 3\nvalue = 1.0", "l.toml:11:9: expect.first: found 3, expected 0 to 2"},
		{expect + "first = 1\ncount = 3\nvalue = 1.0", "l.toml:12:9: expect.count: found 3, expected 1 to 2"},
		{expect + "first = 1\ndata = [1, 2, 3]", `expect.data: found 3 values, expected the 2 of buffer "x"`},
		{expect + "value = 1.0\nrepeat = true", "l.toml:12:10: expect.repeat: found repeat without data"},
		{"count = 3\n[textures.t]\nbuffer = \"x\"\nwidth = 3\ntype = \"f16\"",
			`l.toml:9:11: textures.t: found a texture with channels of type "f16", expected u8`},
	} {
		if got := refusal(t, "count = 3", c.new); !strings.Contains(got, c.want) {
			t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
		}
	}
}
