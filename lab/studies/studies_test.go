package studies_test

import (
	"path/filepath"
	"slices"
	"testing"

	"kumiko/gpus/measure"
	_ "kumiko/lab/studies"
	"kumiko/study"
)

// Reading a study as a file builds its machines too, as a user's own study.
func TestEveryStudyLoadsAsAFileAndByItsName(t *testing.T) {
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		s, err := study.Load(file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if s.Name+".toml" != file || !slices.Contains(study.Names(), s.Name) {
			t.Errorf("%s names itself %s; known are %q", file, s.Name, study.Names())
		}
		if len(s.Points(0)) == 0 {
			t.Errorf("%s has no point", file)
		}
		if s.Waves < measure.EnoughWaves {
			t.Errorf("%s: %v waves, want at least %d", file, s.Waves, measure.EnoughWaves)
		}
	}
}
