package study

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSweepsStandForAVariantForEachCombination(t *testing.T) {
	s := parse(t, head+`[[variant]]
name = "base"
gpu = "gtx980"
[[variant]]
name = "b{banks}-s{stages}"
doc = "{banks} banks, {stages} stages"
gpu = "gtx980"
set = ["regfile.conventional.banks={banks}", "regfile.conventional.operand_stages={stages}"]
sweeps = {stages = ["0", "2"], banks = ["4", "8"]}
baseline = "base"
`)
	var got []string
	for _, v := range s.Variants[1:] {
		got = append(got, v.Name+"|"+v.Doc+"|"+strings.Join(v.Set, " ")+"|"+v.Baseline)
	}
	line := func(banks, stages string) string {
		return "b" + banks + "-s" + stages + "|" + banks + " banks, " + stages + " stages|regfile.conventional.banks=" +
			banks + " regfile.conventional.operand_stages=" + stages + "|base"
	}
	want := []string{line("4", "0"), line("8", "0"), line("4", "2"), line("8", "2")}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("variants (-want +got), the last name fastest:\n%s", d)
	}
}

func TestTheCodeOfAVariantIsASettingOfItsCompiler(t *testing.T) {
	s := parse(t, head+`[[variant]]
name = "{}"
gpu = "gtx980"
code = "{}"
set = ["sm.count=4"]
sweep = ["own", "sm_52"]
`)
	for _, name := range []string{"own", "sm_52"} {
		if v := s.Config(name).Values(); v["compiler.code"] != name || v["sm.count"] != 4 {
			t.Errorf("%s: code %v, %v SMs", name, v["compiler.code"], v["sm.count"])
		}
	}
	for _, c := range []struct{ code, want string }{
		{"code = \"sm_1\"", `found sm_1, expected own, or sm_ and a number`},
		{"code = \"sm_52\"\nset = [\"compiler.code=own\"]", "compiler.code is set twice"},
	} {
		_, err := Parse("t.toml", []byte(head+"[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\n"+c.code+"\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.code, err, c.want)
		}
	}
}

func TestSweepsThatMakeNoSenseAreRefused(t *testing.T) {
	variant := func(name, set, sweeps string) string {
		return head + "[[variant]]\nname = \"" + name + "\"\ngpu = \"gtx980\"\nset = [\"" + set + "\"]\nsweeps = " +
			sweeps + "\n"
	}
	many := "[\"" + strings.Join(numbers(200), "\", \"") + "\"]"
	for _, c := range []struct{ text, want string }{
		{variant("v", "slice.sms={n}", `{n = ["1"]}`), "t.toml:10:11: variant v: with a sweep, expected values, and {n} in"},
		{variant("v{n}", "slice.sms=1", `{n = ["1"]}`), "t.toml:10:11: variant v{n}: with a sweep, expected values"},
		{variant("v{n}", "slice.sms={n}", `{n = []}`), "t.toml:10:11: variant v{n}: with a sweep, expected values"},
		{variant("v{n}", "slice.sms={n}", `{n = ["1", "1"]}`), "found the value \"1\" of {n} twice"},
		{variant("v{n}", "slice.sms={m}", `{n = ["1"]}`), "variant v{n}: with a sweep, expected values"},
		{variant("v{n}{m}", "slice.sms={n}", `{n = ["1"]}`), "t.toml:7:1: variant v{n}{m}: found {m} without a sweep"},
		{variant("v{n}{m}{o}", "slice.sms={n}{m}{o}", "{n = "+many+", m = "+many+", o = "+many+"}"),
			"the sweeps make more than 10000 variants"},
	} {
		_, err := Parse("t.toml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func numbers(n int) []string {
	var out []string
	for i := range n {
		out = append(out, strings.Repeat("1", i+1))
	}
	return out
}

func TestAStudyWithoutViewsHasTheSpeedupAndTheIPC(t *testing.T) {
	s := parse(t, head+plainVariant+"[[variant]]\nname = \"w\"\ngpu = \"gtx980\"\nbaseline = \"v\"\n"+
		"[[variant]]\nname = \"part\"\ngpu = \"gtx980\"\ngroups = [\"a\"]\nbaseline = \"v\"\n")
	var got []string
	for _, v := range s.Tables {
		for _, c := range v.Columns {
			got = append(got, v.ID+": "+c.Name+" = "+c.Value+" over "+v.Over+" with "+v.Mean)
		}
	}
	want := []string{
		`speedup-table: w = speedup("w", "v", x) over group:all with geometric`,
		`ipc-table: v = ipc("v", x) over group:all with geometric`,
		`ipc-table: w = ipc("w", x) over group:all with geometric`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("columns (-want +got), without the variant that runs a part:\n%s", d)
	}
	if len(s.Figures) != 1 || s.Figures[0].ID != "speedup" || s.Figures[0].Title != "Speedup over the baseline: w" {
		t.Errorf("figures %v, want the speedup, which names the one variant", s.Figures)
	}
}

func TestAStudyWithAViewOfItsOwnHasNoOther(t *testing.T) {
	s := parse(t, head+plainVariant+"[[table]]\nid = \"mine\"\ntitle = \"Mine\"\nover = \"group:a\"\n"+
		"column = [{name = \"IPC\", value = \"ipc('v', x)\"}]\n")
	if len(s.Tables) != 1 || len(s.Figures) != 0 {
		t.Errorf("%d tables and %d figures, want the table of the file", len(s.Tables), len(s.Figures))
	}
}
