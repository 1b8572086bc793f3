package app

import (
	"fmt"
	"os"
	"path/filepath"
)

// Pending is a file written while the program runs. It appears under its name once complete. An existing pipe or
// device, such as /dev/null, is written to directly.
type Pending struct {
	*os.File
	name   string
	direct bool
}

func CreatePending(name string) (*Pending, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", name, err)
		}
		return &Pending{f, name, true}, nil
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", name, err)
	}
	Temporaries.Add(f.Name())
	return &Pending{f, name, false}, nil
}

// Keep completes the file under its name.
func (p *Pending) Keep() error {
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
	Temporaries.Remove(p.Name())
	if err != nil {
		os.Remove(p.Name())
		return fmt.Errorf("cannot write %s: %w", p.name, err)
	}
	return nil
}

// Drop removes the file. After keep it does nothing.
func (p *Pending) Drop() {
	p.Close()
	if !p.direct {
		os.Remove(p.Name())
		Temporaries.Remove(p.Name())
	}
}
