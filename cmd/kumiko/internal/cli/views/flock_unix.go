//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package views

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file for this process without waiting. It returns errHeld if another process holds the
// lock, and another error if the file system does not support locks. The lock ends when the file is closed or the
// process ends in any way.
func tryLock(f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	err = conn.Control(func(fd uintptr) {
		for {
			locked = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB)
			if !errors.Is(locked, syscall.EINTR) {
				return
			}
		}
	})
	if errors.Is(locked, syscall.EWOULDBLOCK) {
		return errHeld
	}
	return errors.Join(err, locked)
}
