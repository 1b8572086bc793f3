package list

import (
	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study"
)

// studyRow is a built-in study.
type studyRow struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Paper  string `json:"paper"`
	Size   string `json:"size"`
	Points int    `json:"points"`
	// Budget is the number of warp instructions executed by the points.
	Budget uint64 `json:"warp_instructions"`
}

// Studies returns the command study list or, under the name studies, the command list studies.
func Studies(a *app.App, name string) *cobra.Command {
	c := &cobra.Command{Use: name, Short: "List the built-in studies", Args: app.Exactly()}
	f := app.FormatFlag(c, "text", "json")
	c.RunE = func(*cobra.Command, []string) error {
		rows := []studyRow{}
		for _, name := range study.Names() {
			s, err := study.Load(name)
			if err != nil {
				return err
			}
			p := s.Points(s.Perturb)
			rows = append(rows, studyRow{Name: name, Title: s.Title, Paper: s.Paper, Size: s.Size, Points: len(p),
				Budget: study.Budget(p)})
		}
		if *f == "json" {
			return app.WriteJSON(a.Stdout, rows)
		}
		t := app.NewTable(a.Stdout)
		t.Row("name", "paper", "points", "warp instr.", "size", "title")
		for _, r := range rows {
			t.Row(r.Name, dash(r.Paper), r.Points, app.Magnitude(float64(r.Budget)), r.Size, r.Title)
		}
		return t.Flush()
	}
	return c
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
