package list

import (
	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/kernel/ptx"
	"kumiko/study/query"
)

// functionRow is a function of the expressions in studies.
type functionRow struct {
	Name string `json:"name"`
	Args string `json:"arguments"`
	Doc  string `json:"value"`
}

func listFunctions(a *app.App) *cobra.Command {
	var part *string
	c := listing(a, "functions", "List the functions of expressions in studies", func() ([]functionRow, error) {
		var rows []functionRow
		for _, f := range query.Functions() {
			rows = append(rows, functionRow{f.Name, f.Args, f.Doc})
		}
		return withPart(rows, func(r functionRow) string { return r.Name }, *part, "function")
	}, func(t *app.Table, rows []functionRow) {
		for _, r := range rows {
			t.Row(r.Name+"("+r.Args+")", r.Doc)
		}
	})
	part = namePart(c)
	c.Long = "List the functions of the expressions in figures and tables of studies (docs/studies.md).\n\n" +
		"PART selects the functions that have it in their names, such as energy."
	return c
}

func listPTX(a *app.App) *cobra.Command {
	var part *string
	c := listing(a, "ptx", "List the forms of PTX instructions: executed or refused", func() ([]ptx.Form, error) {
		return withPart(ptx.Forms(), func(f ptx.Form) string { return f.Instruction }, *part, "instruction")
	}, func(t *app.Table, rows []ptx.Form) {
		for _, f := range rows {
			t.Row(f.Instruction, f.Operands, f.Status)
		}
	})
	part = namePart(c)
	c.Long = `List the forms of PTX instructions that Kumiko executes, and those that it refuses. A test runs each of them; another
form may do either.

{a,b} means either, and [.x] stands for the instruction with and without the modifier. Operands are registers of the
first type of the instruction (t), of its second type (s), of twice the first (w), of 16, 32, 64 and 128 bits (h, r, l,
q), predicates (p), and addresses in global and shared memory (g, a); of matrices as many registers as A and B have in
their shape (A, B), and eight (V).

PART selects the forms that have it in them, such as mma.`
	return c
}
