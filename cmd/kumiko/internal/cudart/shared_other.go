//go:build !linux

package cudart

import "errors"

// Base and SharedBytes are as on Linux.
const (
	Base        = 1 << 36
	SharedBytes = 8 << 30
)

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
