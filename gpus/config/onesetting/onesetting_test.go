// Package onesetting_test adds a setting to the simulator in one place, the field of a Spec, and looks for it in the
// places where a user meets it.
package onesetting_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// toySpec has the setting of the test. Nothing else declares it.
type toySpec struct {
	Lanes int `toml:"lanes" unit:"lanes" default:"4" range:"1 to 32" source:"rationale: an eighth of a warp" doc:"lanes that play at once"`
}

func init() {
	regfile.Register(regfile.Kind{Name: "toy", Doc: "a conventional register file with a toy"},
		regfile.Builder[toySpec]{Build: func(env *regfile.Env, s *toySpec) (regfile.Design, error) {
			base := conventional.Default()
			return conventional.New(env, &base)
		}})
}

const lanesKey = "regfile.toy.lanes"

func load(t *testing.T, gpu string, set ...string) *config.Config {
	t.Helper()
	c, err := config.Load(config.Request{GPU: gpu, Set: append([]string{"regfile.kind=toy"}, set...)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lanes returns the parameter as kumiko list params lists it.
func lanes(t *testing.T, c *config.Config) config.Param {
	t.Helper()
	all := c.Params()
	i := slices.IndexFunc(all, func(p config.Param) bool { return p.Key == lanesKey })
	if i < 0 {
		t.Fatalf("%s is not among the %d parameters", lanesKey, len(all))
	}
	return all[i]
}

func TestASettingIsListedWithWhatItsFieldDeclares(t *testing.T) {
	want := config.Param{Key: lanesKey, Type: "integer", Unit: "lanes", Doc: "lanes that play at once",
		Range: "1 to 32", Value: 4, Source: "rationale: an eighth of a warp", Where: "package regfile"}
	if got := lanes(t, load(t, "gtx980")); got != want {
		t.Errorf("listed %+v, want %+v", got, want)
	}
}

func TestASettingIsReadFromAFileAndFromAFlag(t *testing.T) {
	file := filepath.Join(t.TempDir(), "toy.toml")
	text := "base = \"gtx980\"\n[regfile.toy]\nlanes = 8 # from a file\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c := load(t, file)
	if p := lanes(t, c); p.Value != 8 || p.Source != "from a file" || !strings.HasPrefix(p.Where, file+":3") {
		t.Errorf("from a file: %+v", p)
	}
	if got := regfile.SpecOf[toySpec](c.RegFile.Settings()).Lanes; got != 8 {
		t.Errorf("the block gets %d from a file, want 8", got)
	}
	c = load(t, file, lanesKey+"=16")
	if got := regfile.SpecOf[toySpec](c.RegFile.Settings()).Lanes; got != 16 {
		t.Errorf("the block gets %d from a flag, want 16", got)
	}
	if load(t, "gtx980").Hash() == c.Hash() {
		t.Error("two values of the setting have the same hash")
	}
}

func TestASettingOutOfItsRangeIsRefusedWhereItIsSet(t *testing.T) {
	for set, want := range map[string]string{
		lanesKey + "=33":   "--set regfile.toy.lanes=33: regfile.toy.lanes: found 33, expected 1 to 32",
		lanesKey + "=0":    "--set regfile.toy.lanes=0: regfile.toy.lanes: found 0, expected 1 to 32",
		lanesKey + "=many": "--set regfile.toy.lanes=many: regfile.toy.lanes: found many, expected an integer",
		"regfile.toy.lane=4": "--set regfile.toy.lane=4: unknown key regfile.toy.lane; did you mean " + lanesKey +
			"?",
	} {
		_, err := config.Load(config.Request{GPU: "gtx980", Set: []string{"regfile.kind=toy", set}})
		if err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", set, err, want)
		}
	}
}
