package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// pending is a file that is written while the program runs and appears under its
// name when it is complete. What is there and no file, such as a pipe or
// /dev/null, is written to and stays what it is.
type pending struct {
	*os.File
	name   string
	direct bool
}

func createPending(name string) (*pending, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", name, err)
		}
		return &pending{f, name, true}, nil
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", name, err)
	}
	temporaries.add(f.Name())
	return &pending{f, name, false}, nil
}

// keep gives the file its name.
func (p *pending) keep() error {
	if p.direct {
		if err := p.Close(); err != nil {
			return fmt.Errorf("cannot write %s: %w", p.name, err)
		}
		return nil
	}
	err := p.Chmod(0o644)
	if cerr := p.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(p.Name(), p.name)
	}
	temporaries.remove(p.Name())
	if err != nil {
		os.Remove(p.Name())
		return fmt.Errorf("cannot write %s: %w", p.name, err)
	}
	return nil
}

// drop removes the file. After keep it does nothing.
func (p *pending) drop() {
	p.Close()
	if !p.direct {
		os.Remove(p.Name())
		temporaries.remove(p.Name())
	}
}
