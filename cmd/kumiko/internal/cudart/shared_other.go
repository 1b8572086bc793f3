//go:build !linux

package cudart

import "errors"

// Shared is the memory shared with the application; only on Linux.
type Shared struct {
	Data []byte
	fd   int
}

// NewShared returns an error.
func NewShared(int) (*Shared, error) { return nil, errors.New("CUDA applications run on Linux only") }

// Close does nothing.
func (s *Shared) Close() error { return nil }

func rights(int) []byte { return nil }
