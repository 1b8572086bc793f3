package launch

import (
	"errors"
	"strings"
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

const roundBuffers = `[buffers.a]
type = "u32"
count = 4
init = {kind = "range"}
[buffers.b]
type = "u32"
count = 4
[buffers.stop]
type = "u32"
count = 1
`

// nextLaunch launches next from a to b under a header.
func nextLaunch(header string) string {
	return header + "\nkernel = \"next\"\ngrid = [1]\nblock = [4]\nargs = [{buffer = \"a\"}, {buffer = \"b\"}, " +
		"{buffer = \"stop\"}]\n"
}

func TestTwoBuffersChangePlacesAfterEachRound(t *testing.T) {
	for repeat, want := range map[string]string{
		"1": "data = [1, 2, 3, 4]\n[[expect]]\nbuffer = \"b\"\ndata = [0, 1, 2, 3]",
		"2": "data = [2, 3, 4, 5]\n[[expect]]\nbuffer = \"b\"\ndata = [1, 2, 3, 4]",
		"5": "data = [5, 6, 7, 8]\n[[expect]]\nbuffer = \"b\"\nfirst = 2\ndata = [6, 7]",
	} {
		runHost(t, nextLaunch("[[launch]]\nrepeat = "+repeat+"\nswap = [\"a\", \"b\"]")+roundBuffers+
			"[[expect]]\nbuffer = \"a\"\n"+want+"\n")
	}
}

func TestRoundsFollowWhileTheDeviceAsksForThem(t *testing.T) {
	runHost(t, `[[launch]]
while = {buffer = "stop", equals = 1, limit = 5}
swap = ["a", "b"]
[[launch.step]]
memset = {buffer = "stop", value = 0}
`+nextLaunch("[[launch.step]]")+roundBuffers+`[[expect]]
buffer = "a"
data = [5, 6, 7, 8] # the first has come to 5 in the fifth round
[[expect]]
buffer = "stop"
value = 0
`)
}

func TestGroupsRepeatTheirStepsAndGroupsInThem(t *testing.T) {
	// Twice: set the first element to 0, then three times two rounds of +1.
	runHost(t, `[[launch]]
repeat = 2
[[launch.step]]
memset = {buffer = "a", value = 0, count = 1}
[[launch.step]]
repeat = 3
`+nextLaunch("[[launch.step.step]]\nrepeat = 2\nswap = [\"a\", \"b\"]")+roundBuffers+`[[expect]]
buffer = "a"
data = [6, 13, 14, 15]
`)
}

func TestRoundsWithoutEndStopAtTheirLimit(t *testing.T) {
	p, err := hostProgram(t, `[[launch]]
while = {buffer = "stop", equals = 1, limit = 3}
`+nextLaunch("[[launch.step]]")+roundBuffers)
	if err != nil {
		t.Fatal(err)
	}
	err = runOnEmulator(t, p)
	want := `l.toml:2:9: launch.while: found element 0 of "stop" to be 1 after 3 rounds, expected another value by then`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestALaunchThatFailsInAGroupIsNamedByItsPlace(t *testing.T) {
	p, err := hostProgram(t,
		nextLaunch("[[launch]]")+"[[launch]]\nrepeat = 3\n"+nextLaunch("[[launch.step]]")+roundBuffers)
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("no room")
	d := &host.Device{Mem: &mem.Memory{}, Runner: &second{err: cause}}
	if err := p.Run(d); !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "l.toml:9:10: launch 2 (next): ") {
		t.Errorf("error %v", err)
	}
}

// second is a runner refusing the second launch.
type second struct {
	n   int
	err error
}

func (s *second) Launch(*host.Launch) error {
	if s.n++; s.n == 2 {
		return s.err
	}
	return nil
}

func TestMistakesInAllStepsAreReportedAtOnceInOrder(t *testing.T) {
	_, err := hostProgram(t, `modules = ["gone.ptx"]
[[launch]]
repeat = 0
while = {buffer = "stop"}
[[launch.step]]
kernel = "nope"
module = "none.ptx"
args = [{u8 = 300}, {buffer = "nope"}, {texture = "nope"}]
[[launch.step]]
memset = {buffer = "nope", value = 0}
[[launch]]
update = {buffer = "a", first = 9, init = 3}
swap = 3
[[launch]]
args = [{f33 = 1}]
[[expect]]
buffer = "a"
first = 4
data = [1]
`+roundBuffers)
	if err == nil {
		t.Fatal("accepted")
	}
	var places []string
	for _, l := range strings.Split(err.Error(), "\n") {
		places = append(places, strings.Join(strings.Split(l, ":")[1:3], ":"))
	}
	want := "1:12 3:10 4:9 4:9 4:9 5:10 5:10 7:10 8:15 8:31 8:51 10:20 12:33 12:43 13:1 14:3 14:3 14:3 15:10 18:9"
	if got := strings.Join(places, " "); got != want {
		t.Errorf("places %s, want %s\n%v", got, want, err)
	}
}

func TestMistakesInRoundsAreNamedWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"repeat = 0", "l.toml:2:10: launch.repeat: found 0, expected 1 to 1048576"},
		{"repeat = 2\nwhile = {buffer = \"stop\", equals = 1, limit = 2}",
			"launch.while: found repeat and while, expected one of them"},
		{"while = {buffer = \"stop\", equals = 1}",
			"launch.while: found no limit, expected the largest number of rounds"},
		{"while = {buffer = \"stop\", limit = 1}", "launch.while: found no equals, expected the value that asks for"},
		{"while = {buffer = \"stop\", equals = -1, limit = 1}",
			"launch.while.equals: found -1, expected a value of type u32"},
		{"while = {buffer = \"stop\", element = 1, equals = 1, limit = 1}",
			"launch.while.element: found 1, expected 0 to 0"},
		{"while = {buffer = \"go\", equals = 1, limit = 1}", `launch.while.buffer: found the buffer "go", expected one of`},
		{"while = {buffer = \"stop\", differs = 1, limit = 1}", `launch.while: found the unknown key "differs", expected one of`},
		{"while = 1", "l.toml:2:9: launch.while: found an integer, expected a table"},
		{"swap = [\"a\"]", "l.toml:2:8: launch.swap: found 1 names, expected those of two buffers"},
		{"swap = [\"a\", \"c\"]", `l.toml:2:14: launch.swap: found the buffer "c", expected one of [buffers]`},
		{"swap = [\"a\", 1]", "l.toml:2:14: launch.swap: found an integer, expected a string"},
		{"swap = [\"a\", \"a\"]", `launch.swap: found 4 u32 of "a" and 4 u32 of "a", expected two buffers of one type and count`},
		{"swap = [\"a\", \"stop\"]", `launch.swap: found 4 u32 of "a" and 1 u32 of "stop", expected two buffers of one`},
		{"swap = [\"a\", \"count\"]", `launch.swap: found the buffer "count", which is a variable, expected one that can`},
		{"kernel = \"next\"", "l.toml:1:3: launch: found 2 of kernel, memset, update, bind and step, expected one"},
		{"grid = [1]", `l.toml:2:1: launch: found the unknown key "grid", expected one of step, repeat, while, swap`},
		{"repeat = 1000000\nstep = [{memset = {buffer = \"a\", value = 0}}, {kernel = \"next\"}]",
			"found 2000000 launches up to here, repeats counted, expected at most 1048576"},
		{"step = []", "l.toml:1:3: launch: found no step with a kernel, expected at least one"},
		{"step = [{memset = {buffer = \"a\", value = 0}}]",
			"l.toml:1:3: launch: found no step with a kernel, expected"},
		{"step = 1", "l.toml:2:8: launch.step: found an integer, expected a list"},
	} {
		steps := nextLaunch("[[launch.step]]")
		if strings.Contains(c.keys, "step = ") {
			steps = ""
		}
		_, err := hostProgram(t,
			"[[launch]]\n"+c.keys+"\n"+steps+roundBuffers+"[buffers.count]\ntype = \"u32\"\ncount = 1\nsymbol "+
				"= \"count\"\n"+nextLaunch("[[launch]]"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot:\n%v\nwant:\n%s", c.keys, err, c.want)
		}
	}
}
