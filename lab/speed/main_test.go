//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLeastTimeAndTheMostMemoryOfARunCount(t *testing.T) {
	var r row
	for _, c := range []cost{{3, 10}, {2, 30}, {4, 20}} {
		r.add(1, c)
	}
	if want := (cost{2, 30}); r.cost[1] != want || r.cost[0] != (cost{}) {
		t.Errorf("%+v, want %+v for the head alone", r.cost, want)
	}
}

func TestTheLastRowHasGeometricMeans(t *testing.T) {
	var b strings.Builder
	write(&b, []row{{"a", [2]cost{{4, 10}, {1, 10}}}, {"b", [2]cost{{1, 10}, {1, 40}}}})
	if want := "| geometric mean | | | 2.00 | | | 2.00 |\n"; !strings.HasSuffix(b.String(), want) {
		t.Errorf("the table ends otherwise than in %q:\n%s", want, b.String())
	}
}

func TestARunThatFailsIsAnErrorWithItsComplaint(t *testing.T) {
	_, err := measure("sh", "-c", "echo no such thing >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "no such thing") ||
		!strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v, want the exit status and the complaint", err)
	}
}

// The programs stand in for Accel-Sim, which reads the list of traces, and for kumiko, which records the list.
func TestAccelSimReplaysTheTracesThatKumikoRecords(t *testing.T) {
	dir := t.TempDir()
	script := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("#!/bin/sh\necho $0 $* >> "+filepath.Join(dir, "log")+"\n"+text),
			0o755); err != nil {
			t.Fatal(err)
		}
		return file
	}
	accelsim := script("accelsim", "test -f $2 && test \"$3 $4\" = '-config gpgpusim.config'\n")
	kumiko := script("kumiko",
		"if [ \"$5\" = --record ]; then mkdir $6 && touch $6/kernelslist.g; else test -d $2; fi\n")
	r := row{name: "sgemm"}
	machine := []string{"--gpu", "titan-v"}
	if err := r.replay(2, accelsim, []string{"gpgpusim.config"}, kumiko, "test", machine); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, line := range strings.Split(strings.TrimSpace(string(log)), "\n") {
		order = append(order, filepath.Base(strings.Fields(line)[0]))
	}
	if got := strings.Join(order, " "); got != "kumiko accelsim kumiko accelsim kumiko" {
		t.Errorf("the order of the runs is %s", got)
	}
}
