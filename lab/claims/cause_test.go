package claims

import (
	"slices"
	"strings"
	"testing"

	"kumiko/gpus/result"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/record"
)

// becauseOf is a cause with a key more.
func becauseOf(id, more string) string {
	return "[[cause]]\nid = \"" + id + "\"\nkind = \"our compiler\"\ntext = \"it is so\"\n" + more + "\n"
}

const byVariant = "variants = [\"rfc\"]"

func TestWhatFallsShortHasItsCauseAndExperiment(t *testing.T) {
	out := measuredBy(t, claim("a", `cause = "c"`, loses)+claim("b", `cause = "c"`, gains)+claim("d", "", loses)+
		becauseOf("c", byVariant+"\ncommand = \"kumiko inspect fft\""))
	if len(out) != 3 {
		t.Fatalf("%d outcomes", len(out))
	}
	const experiment = "kumiko study run quick --only rfc; kumiko inspect fft"
	if o := out[0]; o.Cause != CauseCompiler || o.Experiment != experiment {
		t.Errorf("%q, %q", o.Cause, o.Experiment)
	}
	if o := out[1]; o.Verdict != Within || o.Cause != "" || o.Because != nil {
		t.Errorf("a claim that holds has the cause %q", o.Cause)
	}
	const want = "2 fall short, by cause: 1 our compiler, 1 without a cause that an experiment shows"
	if s := CauseSummary(out); s != want {
		t.Error(s)
	}
}

func TestACauseTellsWhatItsExperimentGave(t *testing.T) {
	out := measuredBy(t, claim("a", `cause = "c"`, loses)+"[[cause]]\nid = \"c\"\nkind = \"our model\"\n"+byVariant+
		"\nmeasure = ['speedup(\"rfc\", \"fermi\", \"vecadd\") - 1']\ntext = \"{{percent (index .Ours 0)}} more\"\n")
	if len(out) != 1 || out[0].Shown != "50.0 % more" {
		t.Errorf("%+v", out)
	}
}

func TestACauseWhoseExperimentHasNotBeenRunSaysSo(t *testing.T) {
	f, err := Parse("c.toml", []byte("paper = \"p\"\nstudy = \"quick\"\n"+claim("a", `cause = "c"`, loses)+
		becauseOf("c", byVariant+"\nmeasure = ['ipc(\"rfc\", \"fft\")']")))
	if err != nil {
		t.Fatal(err)
	}
	if s := f.Causes[0].Found(nil); s != "the experiment has not been run" {
		t.Error(s)
	}
}

func TestWhatLiesInItsNoiseIsNoisesFault(t *testing.T) {
	f := &File{Study: "quick", Causes: []Cause{{ID: "c", Kind: CauseModel}}}
	o := Outcome{Verdict: Unresolved, Counted: true, Claim: &Claim{Cause: "c"}}
	f.because(&o)
	if o.Cause != CauseNoise || o.Experiment != "kumiko study run quick --perturb 8" {
		t.Errorf("%q, %q", o.Cause, o.Experiment)
	}
}

func TestTheTextNamesEachCauseOnceWithItsClaims(t *testing.T) {
	var b strings.Builder
	out := measuredBy(t, claim("a", `cause = "c"`, loses)+claim("b", `cause = "c"`, loses)+becauseOf("c", byVariant))
	if err := Text(&b, out, NullScore(out)); err != nil {
		t.Fatal(err)
	}
	want := "c (our compiler): it is so\n    kumiko study run quick --only rfc\n    a, b\n"
	if n := strings.Count(b.String(), want); n != 1 {
		t.Errorf("%d times:\n%s", n, b.String())
	}
	if !strings.Contains(b.String(), "2 fall short, by cause: 2 our compiler\n") {
		t.Errorf("no counts by cause:\n%s", b.String())
	}
}

func TestCausesThatShowNothingAreRefused(t *testing.T) {
	used := aClaim("trend", "measure = ['true']\ncause = \"c\"\n")
	for text, want := range map[string]string{
		used:                      "c.toml:9:9: claim a: cause: the file has no cause \"c\"",
		used + becauseOf("c", ""): "c.toml:11:1: cause c: found no experiment, expected variants or a command",
		used + becauseOf("c", byVariant) + becauseOf("c", byVariant): "two causes have the id \"c\"",
		used + becauseOf("c", byVariant) + becauseOf("d", byVariant): "cause d: no claim has it",
		used + "[[cause]]\nid = \"c\"\nkind = \"noise\"\ntext = \"x\"\ncommand = \"true\"\n": "c.toml:12:8: cause c: " +
			"kind: found \"noise\", expected one of our model, the machine, our programs",
		used + strings.Replace(becauseOf("c", byVariant), "our compiler", "our programs", 1): "c.toml:12:8: cause c: " +
			"kind: found \"our programs\" without published programs",
		used + becauseOf("c", byVariant) + "[cause.published]\ntext = \"x\"\n": "c.toml:16:1: cause c: published: " +
			"measure and text are to be given",
		used + "[[cause]]\nid = \"c\"\nkind = \"reading\"\ncommand = \"true\"\n": "cause: id and text are to be given",
		aClaim("trend", "measure = ['true']\nequation = \"e\"\n"):                "c.toml:9:12: claim a: equation",
	} {
		if _, err := Parse("c.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v, want %q", text, err, want)
		}
	}
}

func TestExperimentsThatTheStudyCannotMakeAreRefused(t *testing.T) {
	s, err := study.Load("quick")
	if err != nil {
		t.Fatal(err)
	}
	for more, want := range map[string]string{
		"variants = [\"rfc\", \"nope\"]":                         "c.toml:14:20: cause c: variants: the study has no",
		byVariant + "\nmeasure = ['ipc(\"nope\", \"fft\")']":     "c.toml:15:13: cause c: measure: the study has no",
		byVariant + "\nmeasure = ['1']\n[define]\nlist = 'nope'": "define list: unknown name nope",
	} {
		text := aClaim("trend", "measure = ['true']\ncause = \"c\"\n") + becauseOf("c", more)
		f, err := Parse("c.toml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		errs := f.Check(s)
		if !slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), want) }) {
			t.Errorf("%s\ngives %v, want %q", text, errs, want)
		}
	}
}

func TestACauseTellsWhatPublishedProgramsGive(t *testing.T) {
	s, err := study.Load(PublishedStudy)
	if err != nil {
		t.Fatal(err)
	}
	cause := "[[cause]]\nid = \"c\"\nkind = \"the machine\"\n" + byVariant + "\ntext = \"so\"\n[cause.published]\n" +
		"measure = ['speedup(\"ideal\", \"bl-272\", \"lbm.original\") - 1']\n" +
		"text = \"lbm {{percent (index .Ours 0)}}\"\n"
	f, err := Parse("c.toml", []byte(aClaim("trend", "measure = ['true']\ncause = \"c\"\n")+cause))
	if err != nil {
		t.Fatal(err)
	}
	if errs := f.tryPublished(); len(errs) > 0 {
		t.Error(errs)
	}
	c := &f.Causes[0]
	if text := c.foundPublished(nil); text != "" {
		t.Errorf("without records it says %q", text)
	}
	var list []*record.Record
	for variant, cycles := range map[string]uint64{"ideal": 800, "bl-272": 1000} {
		x := &result.Result{Program: "lbm.original", Kernels: []result.Kernel{{Name: "k",
			Counts: result.Counts{Cycles: cycles, ThreadInstructions: 32000}}}}
		x.Finish(0)
		p := record.Point{Variant: variant, Benchmark: "lbm.original"}
		list = append(list, &record.Record{Point: p, Result: x})
	}
	if text := c.foundPublished(query.New(study.NewData(s, list))); text != "lbm 25.0 %" {
		t.Errorf("it says %q, want a gain of 25 %%", text)
	}
	f.Causes[0].Published.Measure[0] = `speedup("nope", "bl-272", "lbm.original")`
	if errs := f.tryPublished(); len(errs) != 1 {
		t.Errorf("found %v, want an unknown variant", errs)
	}
}

// Every cause of the built-in files has claims, and variants of their study.
func TestTheCausesOfTheFilesHaveExperiments(t *testing.T) {
	for _, paper := range []string{"gebhart", "sharing", "cerf"} {
		f := load(t, paper)
		s, err := study.Load(f.Study)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range f.tryCauses(s, query.Trial(s)) {
			t.Error(err)
		}
		if len(f.Causes) == 0 {
			t.Errorf("%s: found no causes", paper)
		}
	}
}
