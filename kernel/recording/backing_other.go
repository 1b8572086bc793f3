//go:build !unix

package recording

import "errors"

// backing returns an error.
func backing() ([]byte, func() error, error) {
	return nil, nil, errors.New("recorded applications run on Unix only")
}
