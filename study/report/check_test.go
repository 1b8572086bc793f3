package report

import (
	"errors"
	"strings"
	"testing"

	"kumiko/study"
)

// The table of the figure or of the table begins in line 10.
func TestExpressionsOfFiguresAndTablesAreCheckedWithoutRecords(t *testing.T) {
	const head = "name = \"t\"\nsize = \"test\"\n[groups]\na = [\"vecadd\", \"bfs\"]\n[[variant]]\nname = \"v\"\ngpu " +
		"= \"gtx980\"\nset = [\"slice.sms=2\"]\n"
	figure := func(kind, series string) string {
		return head + "\n[[figure]]\nid = \"f\"\nkind = \"" + kind +
			"\"\nover = \"group:a\"\n[[figure.series]]\nname = \"s\"\n" + series
	}
	column := func(text string) string {
		return head + "\n[[table]]\nid = \"t\"\nover = \"group:a\"\n[[table.column]]\nname = \"c\"\n" + text
	}
	for text, want := range map[string]string{
		figure("bar", "y = 'ipc(\"v\", x'\n"): "t.toml:16:15: figure f: series s at " +
			"vecadd: unexpected token EOF",
		figure("bar", "y = 'ipc(\"w\", x)'\n"): "t.toml:16:6: figure f: series s at " +
			"vecadd: the study has no variant \"w\"",
		figure("bar", "y = 'ipc(\"v\", \"sgemm\")'\n"): "no group of the study has a benchmark " +
			"\"sgemm\"",
		figure("bar", "y = '\"text\"'\n"): "t.toml:16:5: figure f: series s at " +
			"vecadd: gives text, expected a number",
		figure("bar", "y = 'stat(\"v\", x, \"no.such\")'\n"): "variant v has no statistic \"no.such\"",
		figure("scatter", "y = '1'\nx = 'x'\n"): "t.toml:17:5: figure f: series s at " +
			"vecadd: gives vecadd, expected a number",
		figure("bar", "each = \"groups\"\ny = '''\nipc(s, x) +\n p'''\n"): "t.toml:19:2: figure f: series s at " +
			"vecadd: unknown name p",
		column("value = 'ipc(\"w\", x)'\n"): "t.toml:15:10: table t: column c at vecadd: the " +
			"study has no variant \"w\"",
		column("value = '{\"a\": 1}'\n"): "t.toml:15:9: table t: column c at vecadd: ",
	} {
		s, err := study.Parse("t.toml", []byte(text))
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		if err := errors.Join(Check(s, nil)...); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\ngives %v\nwant %s", text, err, want)
		}
	}
}
