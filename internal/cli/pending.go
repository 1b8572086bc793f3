package cli

import (
	"fmt"
	"os"
	"path/filepath"
)

// pending is a file that is written while the program runs and appears under its
// name when it is complete.
type pending struct {
	*os.File
	name string
}

func createPending(name string) (*pending, error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", name, err)
	}
	return &pending{f, name}, nil
}

// keep gives the file its name.
func (p *pending) keep() error {
	err := p.Chmod(0o644)
	if cerr := p.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(p.Name(), p.name)
	}
	if err != nil {
		os.Remove(p.Name())
		return fmt.Errorf("cannot write %s: %w", p.name, err)
	}
	return nil
}

// drop removes the file. After keep it does nothing.
func (p *pending) drop() {
	p.Close()
	os.Remove(p.Name())
}
