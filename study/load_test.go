package study

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/measure"
)

const head = "name = \"t\"\nsize = \"test\"\n[groups]\na = [\"vecadd\", \"bfs\"]\nb = [\"bfs\", \"sgemm\"]\n"

const plainVariant = "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"slice.sms=2\"]\n"

const aStream = "[[stream]]\nname = \"s\"\ngpu = \"gtx980\"\n"

func parse(t *testing.T, text string) *Spec {
	t.Helper()
	s, err := Parse("t.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryBuiltInStudyHasPointsAndWavesAndMachinesThatCanBeBuilt(t *testing.T) {
	names := Names()
	if len(names) == 0 {
		t.Fatal("no studies")
	}
	for _, name := range names {
		s, err := Load(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s.Name != name {
			t.Errorf("studies/%s.toml names itself %s", name, s.Name)
		}
		if errs := s.build(); len(errs) > 0 || len(s.Points(0)) == 0 {
			t.Errorf("%s: %d points, machines: %v", name, len(s.Points(0)), errs)
		}
		if s.Waves < measure.EnoughWaves { // of which a run warns
			t.Errorf("%s: %v waves, want at least %d", name, s.Waves, measure.EnoughWaves)
		}
	}
}

func TestASweepStandsForAVariantForEachValue(t *testing.T) {
	s := parse(
		t,
		head+"[[variant]]\nname = \"base\"\ngpu = \"gtx980\"\n[[variant]]\nname = \"banks-{}\"\ndoc = \"{} "+
			"banks\"\ngpu = \"gtx980\"\nset = [\"regfile.conventional.banks={}\"]\n"+
			"tuned = [\"regfile.conventional.banks\"]\nsweep = [\"4\", \"8\"]\nbaseline = \"base\"\ngroups = [\"b\"]\n",
	)
	var got []string
	for _, v := range s.Variants {
		got = append(got, v.Name+"|"+v.Doc+"|"+strings.Join(v.Set, ",")+"|"+v.Baseline)
	}
	want := []string{"base|||", "banks-4|4 banks|regfile.conventional.banks=4|base",
		"banks-8|8 banks|regfile.conventional.banks=8|base"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if n := s.Config("banks-8").Values()["regfile.conventional.banks"]; n != 8 {
		t.Errorf("%v banks, want 8", n)
	}
}

// Group all is every benchmark of the others once: vecadd, bfs, sgemm.
func TestPointsAreTheGridWithPerturbationsAndStreams(t *testing.T) {
	s := parse(t, "set = [\"sm.count=4\"]\n"+head+plainVariant+
		"[[variant]]\nname = \"w\"\ngpu = \"fermi\"\ngroups = [\"b\"]\nsize = \"small\"\n[[stream]]\nname = \"u\"\n"+
		"gpu = \"fermi\"\ngroups = [\"a\"]\n")
	var got []string
	for _, p := range s.Points(1) {
		kind := "run"
		if p.Stream {
			kind = "stream"
		}
		got = append(got, strings.Join([]string{kind, p.Variant, p.Benchmark, p.Size, strings.Join(p.Set, " "),
			string(rune('0' + p.Perturb))}, "|"))
	}
	want := []string{
		"run|v|vecadd|test|sm.count=4 slice.sms=2|0", "run|v|vecadd|test|sm.count=4 slice.sms=2|1",
		"run|v|bfs|test|sm.count=4 slice.sms=2|0", "run|v|bfs|test|sm.count=4 slice.sms=2|1",
		"run|v|sgemm|test|sm.count=4 slice.sms=2|0", "run|v|sgemm|test|sm.count=4 slice.sms=2|1",
		"run|w|bfs|small|sm.count=4|0", "run|w|bfs|small|sm.count=4|1",
		"run|w|sgemm|small|sm.count=4|0", "run|w|sgemm|small|sm.count=4|1",
		"stream|u|vecadd|test|sm.count=4|0", "stream|u|bfs|test|sm.count=4|0",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAStudyPerturbsTheVariantsThatItLists(t *testing.T) {
	s := parse(t, "perturbed = [\"w\"]\n"+head+plainVariant+"[[variant]]\nname = \"w\"\ngpu = \"fermi\"\n"+
		"groups = [\"b\"]\n")
	runs := map[string]int{}
	for _, p := range s.Points(2) {
		runs[p.Variant+"|"+p.Benchmark]++
	}
	want := map[string]int{"v|vecadd": 1, "v|bfs": 1, "v|sgemm": 1, "w|bfs": 3, "w|sgemm": 3}
	if d := cmp.Diff(want, runs); d != "" {
		t.Error(d)
	}
}

func TestPatternsChooseVariantsBenchmarksAndGroups(t *testing.T) {
	s := parse(t, head+plainVariant+
		"[[variant]]\nname = \"w-1\"\ngpu = \"fermi\"\n[[variant]]\nname = \"w-2\"\ngpu = \"fermi\"\n")
	for patterns, want := range map[string]string{
		"":          "v/vecadd v/bfs v/sgemm w-1/vecadd w-1/bfs w-1/sgemm w-2/vecadd w-2/bfs w-2/sgemm",
		"w-*":       "w-1/vecadd w-1/bfs w-1/sgemm w-2/vecadd w-2/bfs w-2/sgemm",
		"w-1,BFS":   "w-1/bfs",
		"b,v":       "v/bfs v/sgemm",
		"v,w-2,s*":  "v/sgemm w-2/sgemm",
		"vecadd,v":  "v/vecadd",
		"nothing":   "",
		"[":         "",
		"w-3,sgemm": "",
	} {
		var list []string
		if patterns != "" {
			list = strings.Split(patterns, ",")
		}
		points, err := s.Select(s.Points(0), list)
		var got []string
		for _, p := range points {
			got = append(got, p.Variant+"/"+p.Benchmark)
		}
		if strings.Join(got, " ") != want || (err != nil) != (want == "") {
			t.Errorf("%q: %v, %v; want %q", patterns, got, err, want)
		}
	}
}

func TestMistakesAreSaidWithTheirPlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"nam = 3", "t.toml:1:1: unknown key nam"},
		{"name = ", "t.toml:1:"},
		{"name = \"a b\"\n[groups]\na = [\"bfs\"]\n" + plainVariant, "t.toml:1:8: name: found \"a b\""},
		{"name = \"t\"\nsize = \"huge\"\n" + plainVariant,
			"t.toml:2:8: size \"huge\": expected test, small, study, large or paper"},
		{"registers = \"many\"\n" + head + plainVariant,
			"t.toml:1:13: registers: found \"many\", expected own or paper"},
		{"name = \"t\"\n[groups]\na = [\"bfs\", \"bfz\"]\n" + plainVariant, "t.toml:3:13: no benchmark named \"bfz\""},
		{"name = \"t\"\n[groups]\na = [\"bfs\", \"bfs\"]\n" + plainVariant, "t.toml:3:13: group a: bfs is in it twice"},
		{"name = \"t\"\n[groups]\na = [\"BFS\"]\n" + plainVariant,
			"t.toml:3:6: benchmark \"BFS\": expected its name, bfs"},
		{"name = \"t\"\n[groups]\na = []\n" + plainVariant, "t.toml:3:1: group a: found no benchmark"},
		{head + "[[variant]]\nname = \"v\"\n", "t.toml:7:1: variant v: gpu is missing"},
		{head + plainVariant + plainVariant, "t.toml:11:8: two variants are named v"},
		{head + "[[variant]]\nname = \"v{}\"\ngpu = \"gtx980\"\n", "t.toml:7:1: variant v{}: found {} without a sweep"},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nsweep = [\"1\"]\n",
			"t.toml:9:1: variant v: with a sweep, expected values, and {} in the name"},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx981\"\n", "t.toml:8:7: variant v: no GPU named \"gtx981\""},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\ndesign = \"rfq\"\n",
			"t.toml:9:10: variant v: no design named \"rfq\""},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"sm.count=4\", \"sm.cuont=4\"]\n",
			"t.toml:9:22: variant v: unknown key sm.cuont"},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"slice.sms=400\"]\n",
			"t.toml:9:8: variant v: slice.sms: found 400"},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"regfile.conventional.network=butterfly\", " +
			"\"regfile.conventional.crossbar_width=4\"]\n",
			"t.toml:9:50: variant v: " +
				"regfile.conventional.crossbar_width: found 4, expected 0 with network = butterfly"},
		{"set = [\"regfile.conventional.network=butterfly\"]\n" + head + "[[variant]]\nname = \"v-{}\"\n" +
			"gpu = \"gtx980\"\nset = [\"regfile.conventional.crossbar_width={}\"]\nsweep = [\"0\", \"4\"]\n",
			"t.toml:10:8: variant v-4: regfile.conventional.crossbar_width: "},
		{"set = [\"sm.cuont=4\"]\n" + head + plainVariant, "t.toml:1:8: variant v: unknown key"},
		{head + plainVariant + "groups = [\"a\", \"c\"]\n",
			"t.toml:10:16: no group named \"c\"; expected one of a, b, all"},
		{head + plainVariant + "baseline = \"w\"\n", "t.toml:10:12: variant v: no variant is named \"w\""},
		{"perturbed = [\"w\"]\n" + head + plainVariant, "t.toml:1:14: perturbed: no variant is named w"},
		{head + plainVariant + "tuned = [\"sm.count\", \"sm.cuont\"]\n",
			"t.toml:10:22: variant v: tuned: \"sm.cuont\" is no parameter"},
		{head + plainVariant + "[[waves_exempt]]\nbenchmark = \"nw\"\nreason = \"x\"\n",
			"t.toml:11:13: waves_exempt: found the benchmark \"nw\""},
		{head + plainVariant + "[[waves_exempt]]\nbenchmark = \"bfs\"\n", "waves_exempt of bfs: reason is missing"},
		{head + plainVariant + "[[waves_exempt]]\nbenchmark = \"bfs\"\nkernel = \"q\"\nreason = \"x\"\n",
			"t.toml:12:10: waves_exempt: bfs has no kernel \"q\""},
		{head + plainVariant + "[[figure]]\nid = \"f\"\nkind = \"pie\"\nover = \"groups\"\nseries = [{name = \"a\", " +
			"y = \"1\"}]\n", "t.toml:12:8: figure f: kind: found \"pie\""},
		{head + plainVariant + "[[figure]]\nid = \"f\"\nkind = \"bar\"\nover = \"group:q\"\nseries = [{name = \"a\", " +
			"y = \"1\"}]\n", "t.toml:13:8: over: no group named \"q\""},
		{head + plainVariant + "[[table]]\nid = \"f\"\nvalues = [1, 2]\nlabels = [\"a\"]\n[[table.column]]\nname = " +
			"\"c\"\nvalue = \"x\"\n", "t.toml:13:1: 1 labels, expected one for each of 2 values"},
		{head, "found neither a variant nor a stream"},
		{"waves = nan\n" + head + plainVariant, "t.toml:1:9: found nan, expected a finite number"},
		{"waves = 1001\n" + head + plainVariant, "t.toml:1:9: waves: found 1001, expected 0 to 1000"},
		{"waves = -1\n" + head + plainVariant, "t.toml:1:9: waves: found -1, expected 0 to 1000"},
		{"paper = \"nosuch.toml\"\n" + head + plainVariant,
			"t.toml:1:9: paper: nosuch.toml: no such file or directory"},
		{"perturb = 2\n" + head + "[[stream]]\nname = \"u\"\ngpu = \"fermi\"\n",
			"t.toml:1:11: perturb: found 2 in a study without variants"},
		{"set = [\"sm.count=4\", \"sm.count=8\"]\n" + head + plainVariant,
			"t.toml:1:22: set: sm.count is set twice, by \"sm.count=4\" and by \"sm.count=8\""},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"slice.sms=2\", \"slice.sms=2\"]\n",
			"t.toml:9:23: variant v: set: slice.sms is set twice"},
		{head + "[[stream]]\nname = \"u\"\ngpu = \"fermi\"\nset = [\"slice.sms=2\", \"slice.sms=2\"]\n",
			"t.toml:9:23: stream u: set: slice.sms is set twice"},
		{head + "[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\nset = [\"slice.sms=2\", \"perturb.seed=3\"]\n",
			"t.toml:9:23: variant v: perturb.seed: found 3, expected 0"},
		{head + plainVariant + "baseline = \"v\"\n",
			"t.toml:10:12: variant v: found it as its own baseline, expected another variant"},
		{head + plainVariant + "baseline = \"w\"\n[[variant]]\nname = \"w\"\ngpu = \"fermi\"\nbaseline = \"v\"\n",
			"t.toml:10:12: variant v: its baselines lead back to it: v, w, v"},
		{head + plainVariant + "tuned = [\"sm.count\", \"sm.count\"]\n",
			"t.toml:10:22: variant v: tuned: found sm.count twice"},
		{head + plainVariant + "groups = [\"a\", \"a\"]\n", "t.toml:10:16: groups: found a twice"},
		{head + plainVariant + "[[waves_exempt]]\nbenchmark = \"bfs\"\nreason = \"x\"\n[[waves_exempt]]\nbenchmark = " +
			"\"bfs\"\nkernel = \"visit\"\nreason = \"x\"\n",
			"t.toml:14:1: waves_exempt of bfs visit: found a table before it that exempts the same"},
		{head + plainVariant + "[[waves_exempt]]\nreason = \"x\"\n", "t.toml:11:1: waves_exempt: found no benchmark, " +
			"expected one, or variants"},
		{head + plainVariant + "[[waves_exempt]]\nvariants = [\"v\", \"w\"]\nreason = \"x\"\n",
			"t.toml:11:18: waves_exempt: no variant named \"w\""},
		{head + plainVariant + "[[waves_exempt]]\nbenchmark = \"bfs\"\nreason = \"x\"\n[[waves_exempt]]\nvariants = " +
			"[\"v\"]\nbenchmark = \"bfs\"\nreason = \"x\"\n",
			"waves_exempt of bfs v: found a table before it that exempts the same"},
		{head + plainVariant + "[[note]]\ntitle = \"x\"\n", "t.toml:11:1: note: text is missing"},
		{"profile = true\nsample = {}\n" + head + plainVariant,
			"t.toml:1:11: profile: found together with sample or split, expected without them"},
		{"profile = true\nsplit = \"launches\"\n" + head + plainVariant, "t.toml:1:11: profile: found together with"},
		{"profile = true\n" + head + aStream, "t.toml:1:11: profile: found in a study without variants"},
		{"sample = {error = \"2\"}\n" + head + plainVariant,
			`t.toml:1:19: sample.error: found "2", expected 0.01% to 50%`},
		{"sample = {}\n" + head + aStream,
			"t.toml:1:10: sample: found in a study without variants: streams have no timing"},
		{"sample = {units = 3}\n" + head + plainVariant, "t.toml:1:11: unknown key units; expected one of error, seed"},
		{"split = \"ctas\"\n" + head + plainVariant, `t.toml:1:9: split: found "ctas", expected "launches"`},
		{"parts = 3\n" + head + plainVariant,
			`t.toml:1:9: parts: found without split, expected split = "launches" with it`},
		{"split = \"launches\"\nparts = 1\n" + head + plainVariant, "t.toml:2:9: parts: found 1, expected 2 to 1000"},
		{"split = \"launches\"\nsample = {}\n" + head + plainVariant,
			"t.toml:1:9: split: found together with sample, expected one of them"},
		{"split = \"launches\"\n" + head + aStream,
			"t.toml:1:9: split: found in a study without variants: streams have no timing"},
	} {
		_, err := Parse("t.toml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestTheErrorForAnUnknownStudyListsTheStudies(t *testing.T) {
	for _, name := range []string{"nosuch", "", "../quick"} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), "expected one of ") ||
			!strings.Contains(err.Error(), "quick") {
			t.Errorf("%q: error %v", name, err)
		}
	}
	if _, err := Load("no/such.toml"); err == nil ||
		!strings.Contains(err.Error(), "study file no/such.toml: no such file") {
		t.Errorf("error %v", err)
	}
}

func TestAGPUFileStandsRelativeToTheStudys(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		put(t, file, text)
		return file
	}
	write("mine.toml", "base = \"gtx980\"\n[slice]\nsms = 3\n")
	s, err := Load(write("s.toml", head+"[[variant]]\nname = \"v\"\ngpu = \"mine.toml\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Config("v").SM.Count; n != 3 {
		t.Errorf("%d SMs, want 3", n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(head + plainVariant)
	f.Add("name = \"t\"\n[[variant]]\nname = \"v{}\"\ngpu = \"gtx980\"\nsweep = [\"1\"]\nset = [\"slice.sms={}\"]\n" +
		"[[figure]]\nid = \"f\"\n[[figure.series]]\ny = \"1\"\n")
	f.Add("nane = \"t\"\n[[varient]]\nname = \"v\"\ngpuu = \"gtx980\"\n[[figur]]\nvaluse = [1, [2]]\n")
	f.Add("[[stream]]\nname = \"u\"\n[[figure.mark]]\nx = [1]\n[groups]\n\"\" = [\"bfs\"]\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("t.toml", []byte(text))
		if (s == nil) == (err == nil) {
			t.Fatal("neither a study nor an error, or both")
		}
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error without words")
			}
			return
		}
		for _, p := range s.Points(1) {
			if _, err := s.ConfigOf(&p); err != nil {
				t.Fatalf("%s: %v", &p, err)
			}
		}
	})
}

// An incomplete figure or table, or a key without effect, is
// reported at the place of the key. Line 10 is the table's header.
func TestMistakesInFiguresAndTablesAreSaidWithTheirPlaces(t *testing.T) {
	figure := func(kind, rest string) string {
		return head + plainVariant + "[[figure]]\nid = \"f\"\nkind = \"" + kind + "\"\n" + rest
	}
	const over, one = "over = \"groups\"\n", "series = [{name = \"a\", y = \"1\"}]\n"
	table := func(rest string) string { return head + plainVariant + "[[table]]\nid = \"f\"\n" + rest }
	for _, c := range []struct{ text, want string }{
		{strings.Replace(figure("bar", over+one), "id = \"f\"", "id = \"cpi\"", 1),
			"t.toml:11:6: id: found cpi, which every report has"},
		{figure("bar", over+"series = [{name = \"a\"}]\n"), "t.toml:14:12: series a: y is missing"},
		{figure("bar", over+"series = [{name = \"a\", y = \"1\", x = \"2\"}]\n"),
			"t.toml:14:37: series a: found x, which is for scatter figures"},
		{figure("scatter", over+one), "t.toml:14:12: series a: x is missing"},
		{figure("bar", over+"series = [{name = \"a\", y = \"1\", values = [1]}]\n"),
			"t.toml:14:33: series a: found values without each"},
		{figure("bar", over+"series = [{name = \"a{}\", y = \"1\"}]\n"),
			"t.toml:14:19: series a{}: found {} without each"},
		{figure("bar", over+"series = [{name = \"a\", y = \"1\", each = \"list\"}]\n"),
			"t.toml:14:12: series a: values is missing"},
		{figure("bar", over+"series = [{name = \"{}\", y = \"1\", each = \"groups\", values = [1]}]\n"),
			"series {}: found values together with each = \"groups\""},
		{figure("bar", over+"series = [{name = \"{}\", y = \"1\", each = \"some\"}]\n"),
			"t.toml:14:41: each: found \"some\", expected group:NAME, groups or variants, or list"},
		{figure("bar", over+"series = [{name = \"a\", y = \"1\"}, {name = \"a\", y = \"2\"}]\n"),
			"t.toml:14:35: figure f: two series are named \"a\""},
		{figure("bar", over+"series = [{name = \"a\", each = \"groups\", y = \"1\"}]\n"),
			"t.toml:14:12: figure f: two series are named \"a\""},
		{figure("bar", over+"values = [1]\n"+one), "t.toml:13:8: found over together with values"},
		{figure("bar", over+"labels = [\"p\"]\n"+one), "t.toml:14:1: found labels together with over"},
		{figure("bar", "values = [1, 1]\n"+one), "t.toml:13:14: values: found 1 twice"},
		{figure("bar", "values = [1, [2]]\n"+one), "found [2], expected a number, a text or a truth value"},
		{figure("bar", "values = [1, 2]\nlabels = [\"p\", \"p\"]\n"+one),
			"t.toml:14:16: two values have the label \"p\""},
		{figure("line", "values = [1, 2]\nlabels = [\"p\", \"q\"]\n"+one),
			"t.toml:14:1: figure f: labels: found for the numbers of a line"},
		{figure("bar", over+one+"x = {log = true}\n"), "t.toml:15:12: log: found for an axis of labels"},
		{figure("bar", over+one+"y = {log = true, zero = false}\n"), "zero: found together with log"},
		{figure("bar", over+one+"y = {log = true, min = 0.0}\n"),
			"t.toml:15:24: min: found 0 together with log, expected above 0"},
		{figure("bar", over+one+"y = {min = 2.0, max = 1.0}\n"), "max: found 1, expected above min, which is 2"},
		{figure("bar", over+one+"y = {min = 2.0, zero = true}\n"), "zero: found together with min"},
		{figure("bar", over+one+"y = {max = inf}\n"), "t.toml:15:12: found inf, expected a finite number"},
		{figure("bar", over+one+"y = {share = true, percent = true}\n"), "percent: found together with share"},
		{figure("line", over+one+"y = {from = 1.0}\n"), "from: found in a figure of kind line, expected bar"},
		{figure("bar", over+one+"y = {from = 1.0, zero = false}\n"), "from: found together with zero"},
		{figure("line", over+one+"mean = \"geometric\"\n"), "mean: found in a figure of kind line, expected bar"},
		{figure("bar", over+one+"mean = \"harmonic\"\n"), "mean: found \"harmonic\", expected arithmetic, geometric"},
		{figure("bar", "over = \"list\"\n"+one), "values is missing: over is \"list\""},
		{figure("stack", over+one+"y = {zero = false}\n"), "the parts of a stack begin at zero"},
		{figure("stack", over+one+"y = {log = true}\n"), "parts of a stack do not add up"},
		{figure("bar", over+one+"mark = [{x = \"c\", y = 1}]\n"),
			"t.toml:15:14: mark: x: found c, expected a label of the axis"},
		{figure("line", "values = [1, 2]\n"+one+"mark = [{x = \"c\", y = 1}]\n"),
			"t.toml:15:14: mark: x: found c, expected a number"},
		{figure("bar", over+one+"mark = [{x = \"a\"}]\n"), "t.toml:15:10: mark: y is missing"},
		{figure("bar", over+one+"mark = [{x = \"a\", y = 1, y2 = 1}]\n"), "mark: y2: found 1, which is y"},
		{table(over + "[[table.column]]\nname = \"c\"\n"), "t.toml:14:1: column c: value is missing"},
		{table(over + "mean = \"harmonic\"\n[[table.column]]\nname = \"c\"\nvalue = \"1\"\n"),
			"t.toml:13:8: mean: found \"harmonic\", expected arithmetic, geometric or both"},
		{table(over + "[[table.column]]\nname = \"c\"\nvalue = \"1\"\nformat = \"%d\"\n"),
			"t.toml:16:10: format: found \"%d\", expected percent or one number's, such as %.2f"},
		{table(over + "[[table.column]]\nname = \"c\"\nvalue = \"1\"\nformat = \"two\"\n"),
			"t.toml:16:10: format: found \"two\""},
		{table(over + "[[table.column]]\nname = \"c\"\nvalue = \"1\"\npaper = [1, 2, 3]\n"),
			"t.toml:16:1: paper: found 3 values for 2 rows"},
	} {
		_, err := Parse("t.toml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestAFileOfClaimsStandsRelativeToTheStudys(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"c.toml": "", "s.toml": "paper = \"c.toml\"\n" + head + plainVariant} {
		put(t, filepath.Join(dir, name), text)
	}
	s, err := Load(filepath.Join(dir, "s.toml"))
	if err != nil || s.Paper != filepath.Join(dir, "c.toml") {
		t.Errorf("%+v, %v", s, err)
	}
}
