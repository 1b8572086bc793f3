package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kumiko/internal/infile"
)

// Store keeps the records of a study in a folder, one file each, or has those of a pack. Files appear
// whole or not at all. So the process may be killed at any moment, and
// several processes may write to one folder.
type Store struct {
	dir      string
	readOnly bool
	// pack has the records of a pack; nil: the store is a folder.
	pack map[pointID]*Record
	// study is the name of the pack's study.
	study string
	// Note, if not nil, is called with a text for every damaged file.
	Note func(text string)
	// Progress, if not nil, is called with the number of points looked up so far, of total. Its last call has done
	// equal to total, also if the records cannot be read.
	Progress func(done, total int)
}

// DefaultDir returns the default folder for the records of a study.
func DefaultDir(study string) string { return filepath.Join("results", tidy(study)) }

// OpenStore creates the folder if needed, and removes the remains of killed
// writers.
func OpenStore(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("folder for records: %w", err)
	}
	s := &Store{dir: dir}
	return s, s.sweep()
}

// OpenReadOnly returns a read-only store of a folder, or of a pack. A missing folder is an
// empty store.
func OpenReadOnly(dir string) (*Store, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("folder of records: %w", err)
	case !info.IsDir() && strings.HasSuffix(dir, PackSuffix):
		return openPack(dir)
	case !info.IsDir():
		return nil, fmt.Errorf("folder of records: %s is neither a folder nor a pack (NAME%s)", dir, PackSuffix)
	}
	return &Store{dir: dir, readOnly: true}, nil
}

// OpenExisting is OpenReadOnly with an error for a missing folder.
func OpenExisting(dir string) (*Store, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("folder of records: found no %s, expected the one that kumiko study run writes", dir)
	}
	return OpenReadOnly(dir)
}

// Dir returns the path of the folder.
func (s *Store) Dir() string { return s.dir }

// PackOf returns the name of the study of a pack; it is empty for a folder.
func (s *Store) PackOf() string { return s.study }

// Path returns the file of the record of a point under a key.
func (s *Store) Path(p *Point, key string) string { return filepath.Join(s.dir, p.file(key)) }

// temporary begins the names of files being written.
const temporary = ".writing-"

// leftAfter is the age at which a file being written is taken for the remains of a
// killed process: writing takes milliseconds.
const leftAfter = time.Hour

func (s *Store) sweep() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), temporary) && time.Since(info.ModTime()) > leftAfter {
			_ = os.Remove(filepath.Join(s.dir, e.Name())) // another process may have been quicker
		}
	}
	return nil
}

// Put writes a record under the name of its point and key: into a file beside
// it, flushed to the disk and renamed. A record without a result does not replace a
// measured one; it is noted in the measured one.
func (s *Store) Put(r *Record) error {
	if !r.Measured() {
		old, err := s.Get(&r.Point, r.Key)
		if err != nil {
			return err
		}
		if old != nil && old.Measured() {
			r = old.after(r)
		}
	}
	data, err := seal(r)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, temporary+"*")
	if err != nil {
		return fmt.Errorf("cannot write a record: %w", err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), s.Path(&r.Point, r.Key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("cannot write a record: %w", err)
	}
	return syncDir(s.dir)
}

// syncDir flushes the names of a folder to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("folder %s: %w", dir, err)
	}
	return nil
}

// Get returns the record of a point under a key, or nil. A damaged
// file counts as none; it is renamed, unless the store is read-only.
func (s *Store) Get(p *Point, key string) (*Record, error) {
	r, damage, err := s.read(p, key, false)
	if damage != nil {
		err = s.quarantine(p, key, damage)
	}
	return r, err
}

// read returns the record of a point under a key, or its head. It returns nil when there is none, and why the record's
// file is damaged.
func (s *Store) read(p *Point, key string, heads bool) (r *Record, damage, err error) {
	if s.pack != nil {
		return s.pack[p.id()], nil, nil
	}
	data, err := infile.Read(s.Path(p, key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if r, damage = unseal(data, heads); damage != nil {
		return nil, damage, nil
	}
	if r.Key != key || !r.Point.Same(p) {
		return nil, fmt.Errorf("it is of %s with the key %.20s", &r.Point, r.Key), nil
	}
	return r, nil, nil
}

// Drop removes the record of a point under a key.
func (s *Store) Drop(p *Point, key string) error {
	err := os.Remove(s.Path(p, key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// damagedSuffix ends the names of damaged files.
const damagedSuffix = ".damaged"

// quarantine renames the damaged record of a point, unless the store is read-only, and reports it.
func (s *Store) quarantine(p *Point, key string, why error) error {
	name := s.Path(p, key)
	text := fmt.Sprintf("the record %s is damaged and counts as missing: %v", name, why)
	if !s.readOnly {
		if err := os.Rename(name, name+damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		text = fmt.Sprintf("a damaged record was set aside as %s: %v", name+damagedSuffix, why)
	}
	if s.Note != nil {
		s.Note(text)
	}
	return nil
}

// sumHead and sumTail stand around the checksum at the beginning of a record's file: the
// SHA-256 of all following bytes.
const (
	sumHead = `{"sum":"`
	sumTail = `",`
)

const sumEnd = len(sumHead) + 2*sha256.Size + len(sumTail)

// seal writes a record with its checksum, on one line.
func seal(r *Record) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("record of %s: %w", &r.Point, err)
	}
	body = append(body[1:], '\n')
	sum := sha256.Sum256(body)
	return append([]byte(sumHead+hex.EncodeToString(sum[:])+sumTail), body...), nil
}

// unseal reads a record, or its head, and returns an error for a damaged one.
func unseal(data []byte, heads bool) (*Record, error) {
	if len(data) < sumEnd || !bytes.HasPrefix(data, []byte(sumHead)) {
		return nil, errors.New("it does not begin with a checksum")
	}
	sum := sha256.Sum256(data[sumEnd:])
	if string(data[len(sumHead):len(sumHead)+2*sha256.Size]) != hex.EncodeToString(sum[:]) {
		return nil, errors.New("its checksum does not agree")
	}
	var r Record
	into := any(&r)
	if heads {
		into = &bare{Record: &r}
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, err
	}
	if r.Format != Format {
		return nil, fmt.Errorf("its format is %d, expected %d", r.Format, Format)
	}
	return &r, nil
}

// bare decodes a record without its results.
type bare struct {
	*Record
	Result  passed `json:"result"`
	Streams passed `json:"streams"`
}

// passed is a skipped JSON value.
type passed struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (passed) UnmarshalJSON([]byte) error { return nil }
