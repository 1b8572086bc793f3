//go:build unix

package recording

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// backing returns the device's memory of a run, zeros whose pages take room when they are first written, and its
// release.
func backing() (data []byte, free func() error, err error) {
	data, err = unix.Mmap(-1, 0, Bytes, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot make the memory of the device, %d bytes: %w", Bytes, err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
