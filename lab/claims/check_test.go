package claims

import (
	"errors"
	"strings"
	"testing"

	"kumiko/study"
)

// aClaim is a file with a claim beginning in line 4; more follows from line 8 on.
func aClaim(kind, more string) string {
	return "paper = \"p\"\nstudy = \"quick\"\n[[claim]]\nid = \"a\"\nwhere = \"1\"\ntheirs = \"2\"\n" +
		"kind = \"" + kind + "\"\n" + more
}

func TestFilesAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		aClaim("exact", "lid = 3"): "c.toml:8:1: unknown key lid",
		aClaim("wish", ""):         "c.toml:7:8: claim a: kind: found \"wish\", expected exact, magnitude or trend",
		aClaim("trend", ""):        "c.toml:4:1: claim a: neither measure nor untestable",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {value = 1.0, none = true}"): "c.toml:9:10: claim a: expect: found 2 of",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {unit = \"effect\"}"): "c.toml:9:10: claim a: expect: found 0 of",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {none = true}"): "none needs one of the units",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {low = 3.0, high = 2.0}"): "c.toml:9:17: claim a: expect: low 3 is above " +
			"high 2",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {low = 3.0}"): "low and high belong together",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {value = inf}"): "c.toml:9:19: found inf, expected a finite number",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {value = 1.0, from = nan}"): "found nan, expected a finite number",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {values = [1.0, -inf]}"): "found -inf, expected a finite number",
		aClaim("magnitude",
			"measure = [\"1\"]\nexpect = {values = []}"): "found an empty list of numbers",
		aClaim("exact",
			"measure = [\"1\"]\nexpect = {value = 1.0}"): "needs printed",
		aClaim("trend",
			"measure = [\"true\"]\nexpect = {value = 1.0}"): "expected nothing here",
		aClaim("trend",
			"measure = [\"true\"]\nexpect = {unit = \"effect\"}"): "expected nothing for a trend's conditions",
		aClaim("trend",
			"measure = [\" \"]"): "found an empty expression",
		aClaim("trend",
			"measure = [\"true\"]\nuntestable = \"no\""): "c.toml:9:14: claim a: untestable: found together with " +
			"what is measured",
		aClaim("trend",
			"measure = [\"true\"]\ndeviations = [\"weights\", \"nosuch\"]"): "claim a: no deviation \"nosuch\" in " +
			"lab/deviations/data",
		aClaim("trend",
			"measure = [\"true\"]\nwhy = \"{{nosuch}}\""): "c.toml:9:7: claim a: why: template: why:1: function " +
			"\"nosuch\" not defined",
		aClaim("trend", "measure = [\"true\"]\n"+strings.SplitN(aClaim("trend", "measure=[\"true\"]"), "\n",
			3)[2]): "c.toml:10:6: two claims have the id \"a\"",
		strings.Replace(aClaim("trend", "measure = [\"true\"]"), "\"quick\"", "\"nope\"",
			1): "c.toml:2:9: study: no study named \"nope\"; expected one of bank-index, bow, cerf, combine, " +
			"designs, finereg, gebhart, inputs, ltrf, malekeh, options, originals, quick, sharing, silicon, streams, " +
			"values, where-cerf, where-finereg, where-gebhart, where-ltrf, where-sharing, or a file ending in .toml",
		"main = \"b\"\n" + aClaim("trend", "measure = [\"true\"]"): "c.toml:1:8: main: found \"b\", expected the id of",
		aClaim("trend", "measure = [\"true\"]\nreading = \"nosuch\""): "c.toml:9:11: claim a: reading: found " +
			"\"nosuch\", expected the id of a claim that is counted",
		aClaim("trend", "measure = [\"true\"]\nreading = \"a\""): "expected the id of a claim that is counted",
		"paper = \"p\"\n[[claim]]\n":                             "study is missing",
		"paper = \"p\"\nstudy = \"quick\"\n":                     "found no claim",
	} {
		if _, err := Parse("c.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v, want %q", text, err, want)
		}
	}
}

// What a study does not have, and values of another kind or number than is
// expected, are found without records, at their places.
func TestExpressionsOfClaimsAreCheckedAgainstTheStudy(t *testing.T) {
	s, err := study.Load("quick")
	if err != nil {
		t.Fatal(err)
	}
	const value = "expect = {value = 1.0, unit = \"effect\"}\n"
	for text, want := range map[string]string{
		aClaim("magnitude", "measure = ['foo(']\n"+
			value): "c.toml:8:16: claim a: measure: unexpected token EOF",
		aClaim("magnitude", "measure = [\n  'ipc(\"rfc\", \"fft\")',\n  'nope']\n"+
			value): "c.toml:10:4: claim a: measure: unknown name nope",
		aClaim("magnitude", "measure = ['''\n1 +\n  nope''']\n"+
			value): "c.toml:10:3: claim a: measure: unknown name nope",
		aClaim("magnitude", "measure = ['ipc(\"best\", \"fft\")']\n"+
			value): "c.toml:8:13: claim a: measure: the study has no variant \"best\"",
		aClaim("magnitude", "measure = ['ipc(\"rfc\", \"bfs\")']\n"+
			value): "no group of the study has a benchmark \"bfs\"",
		aClaim("magnitude", "measure = ['ipc(\"rfc\", \"fft/none\")']\n"+
			value): "the record of fft has no launch of a kernel \"none\"",
		aClaim("magnitude", "measure = ['stat(\"rfc\", \"fft\", \"no.such\")']\n"+
			value): "variant rfc has no statistic \"no.such\"",
		aClaim("magnitude", "measure = ['slots(\"rfc\", \"fft\", \"nosuch\")']\n"+
			value): "no record has issue slots with reason \"nosuch\"",
		aClaim("magnitude", "measure = ['config(\"rfc\", \"no.such\")']\n"+
			value): "variant rfc has no parameter \"no.such\"",
		aClaim("magnitude", "measure = ['storage(\"rfc\", \"Nope\", \"\")']\n"+
			value): "variant rfc reports no storage of block \"Nope\"",
		aClaim("magnitude", "measure = ['fits(\"rfc\", [], 0, 0, \"ctas_per_sm\")']\n"+
			value): "fits: threads: found 0, expected a whole number from 1",
		aClaim("magnitude", "measure = ['1 / 0']\n"+
			value): "claim a: measure: 1 / 0: gives no number: is something divided by zero?",
		aClaim("magnitude", "measure = ['1', '2']\n"+
			value): "c.toml:8:1: claim a: 2 values, expected 1 as expect has",
		aClaim("magnitude",
			"measure = ['1', '2', '3']\nexpect = {values = [1.0, 2.0]}"): "claim a: 3 values, expected 2",
		aClaim("magnitude", "measure = ['true']\n"+
			value): "claim a: value 1 is true, expected a number",
		aClaim("exact",
			"measure = ['[1, 2]']\nexpect = {printed = [\"1\"]}"): "claim a: 2 values, expected 1",
		aClaim("trend",
			"measure = ['1']\n"): "claim a: gives 1, expected conditions",
		aClaim("trend",
			"measure = ['true', 'true', 'true']\nparts = [\"a\", \"b\"]"): "c.toml:9:1: claim a: 2 parts for 3 values",
		aClaim("magnitude", "measure = ['1']\nnull = ['0', '1']\n"+
			value): "c.toml:9:1: claim a: null: 2 values, expected 1",
		aClaim("magnitude", "measure = ['1']\nnull = ['nope']\n"+
			value): "c.toml:9:10: claim a: null: unknown name nope",
		aClaim("trend",
			"measure = ['true']\nwhy = '{{index .Ours 3}}'"): "c.toml:9:7: claim a: why: template: why:1:2: executing",
		aClaim("trend",
			"measure = ['true']\n[define]\nlist = 'nope'"): "c.toml:10:9: define list: unknown name nope",
		aClaim("trend",
			"measure = ['all(list, ipc(\"nope\", #) > 0)']\n[define]\n"+
				"list = 'kernels'"): "c.toml:8:23: claim a: measure: " +
			"the study has no variant \"nope\"",
	} {
		f, err := Parse("c.toml", []byte(text))
		if err != nil {
			t.Errorf("%s\n: %v", text, err)
			continue
		}
		err = errors.Join(f.Check(s)...)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\ngives %v, want %q", text, err, want)
		}
	}
}

// What cannot be known without records is no mistake.
func TestValuesThatHangOnRecordsAreLeftToThem(t *testing.T) {
	s, err := study.Load("quick")
	if err != nil {
		t.Fatal(err)
	}
	for _, measure := range []string{`mean(filter(kernels, ipc("rfc", #) < 0))`,
		`1 / (ipc("rfc", "fft") - ipc("rfc", "fft"))`, `speedup("rfc", "fermi", "fft") - 1`} {
		text := aClaim("magnitude", "measure = ['"+measure+"']\nexpect = {value = 1.0, unit = \"effect\"}")
		f, err := Parse("c.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if errs := f.Check(s); len(errs) > 0 {
			t.Errorf("%s: %v", measure, errs)
		}
	}
}

func TestTheBuiltInClaimsAndStudiesAgree(t *testing.T) {
	n := 0
	for _, paper := range Papers {
		f, err := Load(paper)
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			continue
		}
		s, err := study.Load(f.Study)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range f.Check(s) {
			t.Error(err)
		}
		for i := range f.Claims {
			if f.Claims[i].Reading == "" {
				n++
			}
		}
	}
	if n != 53+63+61+40+100+4+5 {
		t.Errorf("%d claims beside those of other readings, want 326", n)
	}
}
