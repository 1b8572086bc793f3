package cudart

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Shared is a file in memory, mapped by this process and by the application.
type Shared struct {
	Data []byte
	fd   int
}

// NewShared makes a memory of zeros.
func NewShared(size int) (*Shared, error) {
	fd, err := unix.MemfdCreate("kumiko", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("cannot make the memory of the device: memfd_create: %w", err)
	}
	s := &Shared{fd: fd}
	if err = unix.Ftruncate(fd, int64(size)); err == nil {
		s.Data, err = unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_NORESERVE)
	}
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("cannot make the memory of the device, %d bytes: %w", size, err)
	}
	return s, nil
}

// Close unmaps the memory. Nothing may use it any more.
func (s *Shared) Close() error {
	err := unix.Munmap(s.Data)
	if e := unix.Close(s.fd); err == nil {
		err = e
	}
	return err
}

// rights returns the control message that passes a descriptor to another process.
func rights(fd int) []byte { return unix.UnixRights(fd) }
