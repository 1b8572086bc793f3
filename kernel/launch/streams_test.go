package launch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/host"
)

const inStreams = `
[[launch]]
kernel = "add"
name = "a"
stream = 3
grid = [1]
block = [4]
args = [{buffer = "x"}, {f32 = 1.0}, {u32 = 4}]
[[launch]]
memset = {buffer = "y", value = 2.0}
[[launch]]
kernel = "add"
stream = 1
after = ["a"]
grid = [1]
block = [4]
args = [{buffer = "x"}, {f32 = 1.0}, {u32 = 4}]
[[launch]]
kernel = "add"
grid = [1]
block = [4]
args = [{buffer = "x"}, {f32 = 1.0}, {u32 = 4}]
[buffers.x]
type = "f32"
count = 4
[buffers.y]
type = "f32"
count = 4
`

func TestALaunchKnowsItsStreamItsPredecessorsAndWhetherTheHostHasWaited(t *testing.T) {
	d, f := device()
	if err := parse(t, inStreams).Run(d); err != nil {
		t.Fatal(err)
	}
	var got []*host.Queue
	for _, l := range f.launches {
		got = append(got, l.Queue)
	}
	want := []*host.Queue{{Stream: 3, ID: 1}, {Stream: 1, ID: 2, After: []int{1}, Joins: true}, nil}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMistakesOfStreamsAreNamedWithTheirPlaces(t *testing.T) {
	for _, k := range []struct{ from, to, want string }{
		{`after = ["a"]`, `after = ["b"]`, `l.toml:14:10: launch.after: found "b", expected the name of a launch above`},
		{"stream = 1\n", "", `l.toml:13:9: launch.after: found after in a launch of the default stream, which waits for all before it, ` +
			`expected stream too, from 1 to 128`},
		{"stream = 3", "stream = 129", "l.toml:5:10: launch.stream: found 129, expected 0 to 128"},
		{"stream = 1\n", "stream = 1\nname = \"a\"\n", `l.toml:14:8: launch.name: found a second launch of the name "a", expected a name ` +
			`for each`},
	} {
		_, err := Parse("l.toml", []byte(strings.Replace(inStreams, k.from, k.to, 1)), module(), Limits{})
		if err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%v, want %q", err, k.want)
		}
	}
}
