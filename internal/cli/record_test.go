package cli

import (
	"context"
	"errors"
	"os"
	"testing"

	"kumiko/gpus"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// cutShort is a source without thread blocks and without an error, as one is that
// an interrupt ends.
type cutShort struct{}

func (cutShort) Next() *stream.CTA { return nil }
func (cutShort) Err() error        { return nil }
func (cutShort) Close()            {}

func TestALaunchThatIsInterruptedIsNotRecorded(t *testing.T) {
	for _, interrupted := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		opt := gpus.Options{Context: ctx}
		f := recordFlag{dir: t.TempDir()}
		if err := f.start("program", &opt); err != nil {
			t.Fatal(err)
		}
		src, err := opt.Record(&ir.Kernel{Name: "k"}, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, cutShort{})
		if err != nil {
			t.Fatal(err)
		}
		if interrupted {
			cancel()
		}
		src.Next()
		if err := src.Err(); errors.Is(err, gpus.ErrInterrupted) != interrupted {
			t.Errorf("interrupted %v: the source ends with %v", interrupted, err)
		}
		src.Close()
		if err := f.finish(); err != nil {
			t.Fatal(err)
		}
		want := 2 // the launch and the list
		if interrupted {
			want = 1
		}
		if files, _ := os.ReadDir(f.dir); len(files) != want {
			t.Errorf("interrupted %v: found %v, expected %d files", interrupted, files, want)
		}
	}
}
