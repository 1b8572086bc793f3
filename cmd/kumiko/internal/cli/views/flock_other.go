//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package views

import (
	"errors"
	"os"
)

// tryLock returns errors.ErrUnsupported. On these systems no locks are used, and the age of a folder shows whether
// its recording is over.
func tryLock(*os.File) error { return errors.ErrUnsupported }
