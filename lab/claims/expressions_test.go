package claims

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"kumiko/study/query"
)

// functionTable returns the table of functions in docs/expressions.md.
func functionTable() string {
	var b strings.Builder
	b.WriteString("| function | value |\n|---|---|\n")
	for _, f := range query.Functions() {
		fmt.Fprintf(&b, "| `%s(%s)` | %s |\n", f.Name, f.Args, strings.ReplaceAll(f.Doc, "|", `\|`))
	}
	return b.String()
}

// KUMIKO_UPDATE=1 writes the table anew.
func TestTheDocumentListsAllFunctions(t *testing.T) {
	const file, mark = "../../docs/expressions.md", "<!-- functions -->\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), mark)
	_, tail, ok2 := strings.Cut(rest, mark)
	if !ok || !ok2 {
		t.Fatalf("%s lacks the marks %q", file, mark)
	}
	want := head + mark + functionTable() + mark + tail
	if os.Getenv("KUMIKO_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(data) != want {
		t.Errorf("%s does not list the functions as they are; KUMIKO_UPDATE=1 go test ./study/claims writes them", file)
	}
}
