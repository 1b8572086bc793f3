package study

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

var mistake = regexp.MustCompile(`(?m)^t\.toml:(\d+):\d+: (.*)`)

// told returns the lines and the ends of the mistakes of a study.
func told(text string) (lines []string, err error) {
	_, err = Parse("t.toml", []byte(text))
	if err == nil {
		return nil, nil
	}
	for _, m := range mistake.FindAllStringSubmatch(err.Error(), -1) {
		words := strings.Split(m[2], "; ")
		lines = append(lines, m[1]+" "+words[len(words)-1])
	}
	return lines, err
}

func TestAllIndependentMistakesOfAStudyAreToldAtOnceInTheOrderOfTheFile(t *testing.T) {
	got, err := told("nane = \"t\"\nsize = \"tset\"\n[groups]\na = [\"vecad\", \"bfs\"]\n" +
		"[[variant]]\nname = \"v\"\ngpu = \"gtx98\"\nset = [\"sm.cuont=3\"]\n" +
		"[[variant]]\nname = \"w\"\ngpuu = \"fermi\"\ndesign = \"rcf\"\nbaseline = \"vv\"\n" +
		"[[variant]]\nname = \"x\"\ngpu = \"fermi\"\nset = [\"regfile.rcf.entries=3\"]\n" +
		"[[figur]]\nid = \"f\"\nknid = \"bar\"\n")
	want := []string{"1 did you mean name?", "2 did you mean test?", "4 did you mean vecadd?", "7 did you mean gtx980?",
		"11 did you mean gpu?", "12 did you mean rfc?", "13 did you mean v?", "17 did you mean regfile.rfc.entries?",
		"18 did you mean figure?"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s\nof %v", strings.Join(got, "\n"), strings.Join(want, "\n"), err)
	}
}

// An unknown key leaves a value missing, and an unknown table leaves names undefined. Only the unknown word itself is
// told.
func TestAMistakeIsNotToldAgainByWhatFollowsFromIt(t *testing.T) {
	for text, want := range map[string]int{
		head + "[[variant]]\nname = \"v\"\nchip = \"gtx980\"\n":                                 1,
		head + "[[variant]]\nname = \"v\"\ngpuu = 3\n":                                          2,
		head + "[[variant]]\nlabel = \"v\"\ngpu = \"gtx980\"\n":                                 1,
		head + "[[point]]\nname = \"v\"\ngpu = \"gtx980\"\n":                                    1,
		head + plainVariant + "baseline = \"w\"\n[[varient]]\nname = \"w\"\ngpu = \"gtx980\"\n": 1,
		head + plainVariant + "[[variant]]\nname = \"w-{}\"\ngpu = \"fermi\"\n[[variant]]\nname = \"x\"\n" +
			"gpu = \"fermi\"\nbaseline = \"w-1\"\n": 1,
	} {
		if got, err := told(text); len(got) != want {
			t.Errorf("%q: %d mistakes, want %d:\n%v", text, len(got), want, err)
		}
	}
}
