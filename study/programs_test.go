package study

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
)

const scalePTX = `.version 6.3
.target sm_52
.address_size 64
.visible .entry scale(.param .u64 p)
{
.reg .f32 %f<3>;
.reg .b32 %r<2>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [p];
cvta.to.global.u64 %rd1, %rd1;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.f32 %f1, [%rd3];
add.f32 %f2, %f1, %f1;
st.global.f32 [%rd3], %f2;
ret;
}
`

// launchOf returns a launch file of one CTA with a number of threads, with expectations if there are some.
func launchOf(threads, expect string) string {
	return "[buffers.p]\ntype = \"f32\"\ncount = 64\ninit = {kind = \"range\"}\n[[launch]]\nkernel = \"scale\"\n" +
		"grid = [1, 1, 1]\nblock = [" + threads + ", 1, 1]\nargs = [{buffer = \"p\"}]\n" + expect
}

const doubled = "[[expect]]\nbuffer = \"p\"\nsum = 4032.0\n"

// folder writes a study with a program beside the program's files, and parses it.
func folder(t *testing.T, program string, files map[string]string) (*Spec, error) {
	t.Helper()
	dir := t.TempDir()
	files["scale.ptx"] = scalePTX
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	text := "name = \"t\"\nsize = \"test\"\n" + program + "[groups]\nall = [\"scale\", \"vecadd\"]\n" + plainVariant
	s, err := Parse(filepath.Join(dir, "t.toml"), []byte(text))
	if err != nil {
		err = plainError(strings.ReplaceAll(err.Error(), dir+"/", ""))
	}
	return s, err
}

type plainError string

func (e plainError) Error() string { return string(e) }

const scaleProgram = "[[program]]\nname = \"scale\"\nptx = \"scale.ptx\"\n"

func TestAProgramOfTheStudyIsABenchmark(t *testing.T) {
	s, err := folder(
		t,
		scaleProgram+"launch = \"one.toml\"\n",
		map[string]string{"one.toml": launchOf("64", doubled)},
	)
	if err != nil {
		t.Fatal(err)
	}
	app, err := s.Benchmark("scale")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]benchmarks.KernelInfo{{Name: "scale", Block: [3]int{64, 1, 1}}}, app.Kernels); d != "" {
		t.Errorf("kernels (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"p"}, app.Outputs); d != "" {
		t.Errorf("outputs (-want +got):\n%s", d)
	}
	keys := s.Keys()
	for _, p := range s.Points(0) {
		if _, err := keys.Key(&p); err != nil {
			t.Errorf("%s: %v", &p, err)
		}
	}
}

func TestTheSizesOfAProgramHaveLaunchFilesOfTheirOwn(t *testing.T) {
	s, err := folder(t, scaleProgram+"sizes = {test = \"a.toml\", small = \"b.toml\"}\n",
		map[string]string{"a.toml": launchOf("32", ""), "b.toml": launchOf("64", "")})
	if err != nil {
		t.Fatal(err)
	}
	app, err := s.Benchmark("scale")
	if err != nil {
		t.Fatal(err)
	}
	for size, want := range map[benchmarks.Size]string{benchmarks.Test: "a.toml", benchmarks.Small: "b.toml"} {
		p, err := app.New(size)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(p.Name()) != want {
			t.Errorf("size %s: %s, want %s", size, p.Name(), want)
		}
	}
	const want = "scale has no size study; expected one of small, test"
	if _, err = app.New(benchmarks.Study); err == nil || err.Error() != want {
		t.Errorf("size study: %v", err)
	}
}

func TestMistakesInAProgramAreFoundBeforeAnythingRuns(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"[[program]]\nname = \"scale\"\nlaunch = \"one.toml\"\n",
			"t.toml:4:1: program scale: expected one of ptx, cuda, capture, traces and together"},
		{scaleProgram, "t.toml:4:1: program scale: expected launch, the launch file of every size, or sizes"},
		{scaleProgram + "launch = \"one.toml\"\nsizes = {test = \"one.toml\"}\n", "program scale: expected launch"},
		{scaleProgram + "sizes = {huge = \"one.toml\"}\n", "t.toml:6:17: size \"huge\""},
		{scaleProgram + "launch = \"bad.toml\"\n", "t.toml:4:1: program scale: bad.toml:6:10: launch.kernel"},
		{scaleProgram + "launch = \"none.toml\"\n", "t.toml:4:1: program scale: open none.toml: no such file"},
		{scaleProgram + "launch = \"one.toml\"\n" + scaleProgram + "launch = \"one.toml\"\n",
			"t.toml:8:8: two programs are named scale"},
	} {
		_, err := folder(t, c.program, map[string]string{"one.toml": launchOf("64", ""),
			"bad.toml": strings.ReplaceAll(launchOf("64", ""), "\"scale\"", "\"scala\"")})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
		const follows = "no benchmark named \"scale\""
		if err != nil && strings.Contains(err.Error(), follows) && strings.Contains(c.program, "\"scale\"") {
			t.Errorf("%v: the group has no mistake", err)
		}
	}
}
