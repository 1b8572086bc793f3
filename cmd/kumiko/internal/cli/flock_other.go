//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cli

import (
	"errors"
	"os"
)

// tryLock returns errors.ErrUnsupported: locks of other systems are not used, and the age of a folder tells whether
// its recording is over.
func tryLock(*os.File) error { return errors.ErrUnsupported }
