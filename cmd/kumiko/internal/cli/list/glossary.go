package list

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/regfile"
	"kumiko/sm/reason"
	"kumiko/sm/sched"
)

//go:embed derived.toml
var derivedText []byte

// derivedRows returns the keys and terms of a result that have a formula. Code in a formula stands in backquotes.
func derivedRows() ([]app.Stat, error) {
	var file struct {
		Derived []struct{ Block, Name, Formula string }
	}
	if err := toml.Unmarshal(derivedText, &file); err != nil {
		return nil, fmt.Errorf("derived.toml: %w", err)
	}
	var rows []app.Stat
	for _, d := range file.Derived {
		rows = append(rows, app.Stat{Name: d.Name, Description: d.Formula, Block: d.Block, Derived: true})
		if d.Name != "issue_slots" {
			continue
		}
		for _, r := range issueReasons() {
			rows = append(rows, app.Stat{Name: "issue_slots." + r.Name, Unit: "issue slots", Block: d.Block,
				Description: r.Doc, Derived: true})
		}
	}
	return rows, nil
}

// anyGate represents the gates of any design.
var anyGate = regfile.Gate{Reason: "<gate>",
	Doc: "a warp could issue but for a gate of the register file's design; each of them has a name and a reason of " +
		"its own"}

// issueReasons returns the reasons of issue slots in the order in which they are checked.
func issueReasons() []reason.Info {
	return sched.Reasons(&sched.Config{Width: 2, Choice: sched.Spec{Policy: sched.TwoLevel}},
		&sched.Planes{Gates: []regfile.Gate{anyGate}, Inserts: "operations"})
}

// derivedLines prints the derived rows: each name above its formula. An empty line parts blocks, and the first one from
// what stands above.
func derivedLines(w io.Writer, rows []app.Stat, above bool) {
	block := ""
	for _, r := range rows {
		if r.Block != block {
			if above || block != "" {
				fmt.Fprintln(w)
			}
			block = r.Block
			fmt.Fprintf(w, "%s, derived\n", block)
		}
		formula := app.Wrapped(strings.ReplaceAll(r.Description, "`", ""), app.HelpWidth-4)
		fmt.Fprintf(w, "  %s\n    %s\n", r.Name, strings.ReplaceAll(formula, "\n", "\n    "))
	}
}

// glossary writes statistics and derived rows as tables of Markdown, a section for each block.
func glossary(w io.Writer, rows []app.Stat) error {
	var b strings.Builder
	b.WriteString("# Statistics\n\nThe keys of a result (`kumiko run --json`), as `kumiko list stats` has them.\n")
	rows = slices.Clone(rows)
	counted := slices.IndexFunc(rows, func(r app.Stat) bool { return r.Derived })
	if counted < 0 {
		counted = len(rows)
	}
	slices.SortStableFunc(rows[:counted], func(a, b app.Stat) int { return cmp.Compare(a.Block, b.Block) })
	section := "none"
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	for _, r := range rows {
		if r.Block != section {
			section = r.Block
			head := "| statistic | unit | what it counts |\n|---|---|---|\n"
			if r.Derived {
				head = "| derived | formula |\n|---|---|\n"
			}
			fmt.Fprintf(&b, "\n## %s\n\n%s", section, head)
		}
		if r.Derived {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(r.Name), cell(r.Description))
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, r.Unit, cell(r.Description))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
