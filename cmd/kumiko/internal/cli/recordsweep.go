package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// recordingLock is a file in the hidden folder of a recording. The recording process holds a lock on it, and the file
// contains the name of the process's host.
const recordingLock = ".lock"

// errHeld says that another process holds a lock.
var errHeld = errors.New("another process holds the lock")

// leftAfter is the age at which a recording has been left by a killed process, where no lock tells.
const leftAfter = time.Hour

// holdFolder locks the folder of a recording until the file that it returns is closed, or the process ends. Without
// locks it returns nil. The file gets its name when it is locked, so that no other process finds it without a holder.
func holdFolder(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, recordingLock+".*")
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil || tryLock(f) != nil {
		return nil, errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if _, err = f.WriteString(host); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, recordingLock))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// sweepRecordings removes the hidden folders of recordings whose processes were killed.
func sweepRecordings(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, recording+"*")) // the pattern is right
	for _, d := range left {
		if abandoned(d) {
			_ = os.RemoveAll(d) // the next recording tries again
		}
	}
}

// abandoned reports whether the process that recorded into a hidden folder is dead. A free lock proves it for a process
// of this host. Other hosts' locks may be unknown here, so that the folder's age decides too.
func abandoned(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, recordingLock), os.O_RDWR, 0)
	if err != nil {
		return old(dir)
	}
	defer f.Close()
	switch err := tryLock(f); {
	case errors.Is(err, errHeld):
		return false
	case err != nil:
		return old(dir)
	}
	here, err := os.Hostname()
	if err != nil {
		return old(dir)
	}
	host, err := io.ReadAll(io.LimitReader(f, 1<<10))
	return err == nil && string(host) == here || old(dir)
}

// old reports whether nothing has been written into a folder for leftAfter. A folder that cannot be read is not old.
func old(dir string) bool {
	last := time.Time{}
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return err
	})
	return err == nil && time.Since(last) > leftAfter
}
