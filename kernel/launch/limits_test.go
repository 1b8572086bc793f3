package launch

import (
	"os"
	"path/filepath"
	"testing"

	"kumiko/kernel/ptx"
)

func TestLimitsOfALaunchFileCanBeSetAndAreNamed(t *testing.T) {
	const empty = ".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { ret; }\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"a.ptx": empty, "b.ptx": empty,
		"l.toml": "modules = [\"a.ptx\", \"b.ptx\"]\n[[launch]]\nkernel = \"k\"\nmodule = \"m.ptx\"\ngrid = " +
			"[1]\nblock = [32]\n" +
			"[[launch]]\nkernel = \"k\"\nmodule = \"m.ptx\"\ngrid = [1]\nblock = [32]\n[buffers.x]\ntype = " +
			"\"u32\"\ncount = 10\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m := mustParse(t, filepath.Join(dir, "m.ptx"), []byte(empty))
	file := filepath.Join(dir, "l.toml")
	for _, c := range []struct {
		lim  Limits
		want string
	}{
		{Limits{}, ""},
		{Limits{Launches: 2, Bytes: 40, Modules: 2, PTX: ptx.Limits{Instructions: 1}}, ""},
		{Limits{Launches: 1},
			":7:3: launch: found 2 launches up to here, repeats counted, expected at most 1 (--max-launches 1)"},
		{Limits{Bytes: 39}, ":14:9: buffers.x.count: found 10, expected 1 to 9 (--max-memory-bytes 39)"},
		{Limits{Modules: 1}, ":1:11: modules: found 2 modules, expected at most 1 (--max-modules 1)"},
	} {
		_, err := LoadWithin(file, m, c.lim)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", c.lim, err)
		case c.want != "" && (err == nil || err.Error() != file+c.want):
			t.Errorf("%+v: %v\nwant %s", c.lim, err, c.want)
		}
	}
}
