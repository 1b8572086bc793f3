package views

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

// errHeld is the error of a lock held by another process.
var errHeld = errors.New("another process holds the lock")

// leftAfter is the age at which a recording without a usable lock counts as abandoned by a killed process.
const leftAfter = time.Hour

// holdFolder locks the folder of a recording until the returned file is closed or the process ends. It returns nil
// if locks are not supported. The lock file gets its final name only when locked, so no other process can find it
// unlocked.
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

// abandoned reports whether the process recording into a hidden folder is dead. A free lock proves it for a process
// of this host. Locks of other hosts may be invisible here, so the folder must also be old.
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

// old reports whether nothing has been written into a folder for leftAfter. An unreadable folder is not old.
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
