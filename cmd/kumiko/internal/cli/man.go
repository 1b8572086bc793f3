package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

func (a *App) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages",
		Long:  "Write a man page of section 1 for each command into a folder.",
		Example: `  kumiko man ~/.local/share/man/man1
  man kumiko-run`,
		Args: exactly("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			err := intoFolder(args[0], func(dir string) error { return a.Man(c.Root(), a.Version, dir) })
			if err != nil {
				return fmt.Errorf("man pages: %w", err)
			}
			return nil
		},
	}
}

// intoFolder has the files of a folder written into a hidden folder within it, and moves them once all are written.
// After an error nothing is left of them, nor of the folder if it was not there.
func intoFolder(dir string, write func(dir string) error) (err error) {
	_, err = os.Stat(dir)
	made := errors.Is(err, fs.ErrNotExist)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(dir, ".writing-*")
	if err != nil {
		return err
	}
	temporaries.add(tmp)
	defer func() {
		_ = os.RemoveAll(tmp)
		temporaries.remove(tmp)
		if err != nil && made {
			_ = os.Remove(dir) // unless there is something in it
		}
	}()
	if err := write(tmp); err != nil {
		return err
	}
	files, err := os.ReadDir(tmp)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.Rename(filepath.Join(tmp, f.Name()), filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}
