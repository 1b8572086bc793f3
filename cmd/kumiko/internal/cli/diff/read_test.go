package diff

import (
	"testing"
)

func TestAMissingResultIsNamedWithTheCommandThatWritesOne(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := read("no.json")
	want := "no.json: no such file or directory, expected a result that kumiko run --json wrote, or a profile " +
		"(--profile FILE.json); kumiko run PROGRAM --json no.json writes a result"
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}
