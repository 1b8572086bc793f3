package list

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
)

// program returns a root command with the command list.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a)) }

// listed runs list with some arguments and returns its output.
func listed(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	a := app.App{Stdout: &out, Stderr: &errs, New: app.Assemble}
	if status := a.Main(append([]string{"list"}, args...), program); status != app.Done {
		t.Fatalf("%q: status %d: %s", args, status, errs.String())
	}
	return out.String()
}

// listedRows returns the rows of list stats by name.
func listedRows(t *testing.T, args ...string) map[string]app.Stat {
	t.Helper()
	var rows []app.Stat
	text := listed(t, append([]string{"stats", "--format", "json"}, args...)...)
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		t.Fatal(err)
	}
	by := map[string]app.Stat{}
	for _, r := range rows {
		if _, twice := by[r.Name]; twice {
			t.Errorf("%s is listed twice", r.Name)
		}
		by[r.Name] = r
	}
	return by
}

func TestTheListOfStatisticsHasUnitDescriptionAndBlockOfEachStatisticOfAMachine(t *testing.T) {
	rows := listedRows(t)
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980", Design: "ltrf"})
	m, err := app.Assemble(cfg, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.Stats()); n < 200 {
		t.Fatalf("%d statistics, want at least 200", n)
	}
	for _, s := range m.Stats() {
		r := rows[s.Name]
		if r.Unit != s.Unit || r.Description != s.Description || r.Block == "" ||
			!strings.HasPrefix(s.Name, r.Block+".") {
			t.Errorf("%s: listed as %+v, counted as %+v", s.Name, r, s)
		}
	}
	if got := rows["mem.l1.accesses.global_load"].Block; got != "mem.l1" {
		t.Errorf("mem.l1.accesses.global_load belongs to block %q, want mem.l1", got)
	}
}

var counter = regexp.MustCompile("`((?:sm|mem|regfile)\\.[a-z0-9_.]+)`")

func TestEveryStatisticNamedInAFormulaIsCounted(t *testing.T) {
	rows := listedRows(t)
	derived, named := 0, 0
	for _, r := range rows {
		if !r.Derived {
			continue
		}
		derived++
		for _, m := range counter.FindAllStringSubmatch(r.Description, -1) {
			named++
			if c, is := rows[m[1]]; !is || c.Derived {
				t.Errorf("%s: %s is no statistic", r.Name, m[1])
			}
		}
	}
	if derived < 30 || named < 10 {
		t.Errorf("%d derived rows name %d statistics, want at least 30 and 10", derived, named)
	}
}

func TestEveryReasonOfAnIssueSlotIsListed(t *testing.T) {
	rows := listedRows(t)
	for _, r := range issueReasons() {
		if row := rows["issue_slots."+r.Name]; !row.Derived || row.Unit != "issue slots" {
			t.Errorf("%s: %+v", r.Name, row)
		}
	}
}

func TestAPartOfANameFindsTheFormulaOfADerivedKey(t *testing.T) {
	if got := listed(t, "stats", "ipc_steady"); !strings.Contains(got, "b: the last cycle in which it does") ||
		strings.Contains(got, "mem.") {
		t.Errorf("list stats ipc_steady: %q", got)
	}
	for name, r := range listedRows(t, "--gpu", "gtx980") {
		if r.Derived {
			t.Errorf("%s is derived, expected the statistics of the machine alone", name)
		}
	}
	if n := strings.Count(listed(t, "stats", "sm.", "--format", "markdown"), "## sm\n"); n != 1 {
		t.Errorf("list stats sm. --format markdown has section sm %d times, want once", n)
	}
	if got := listed(t, "stats", "ipc", "--format", "markdown"); !strings.Contains(got, "| ipc_steady | ") {
		t.Errorf("list stats ipc --format markdown: %q", got)
	}
}
