package sass

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"kumiko/internal/infile"
)

// ListName is the name of the kernel list in a folder of traces.
const ListName = "kernelslist.g"

// Command is a line of a kernel list: a copy to the device, or a launch.
type Command struct {
	Line int
	// Trace is the trace file of a launch, with the path of the list's folder; "" for a copy.
	Trace string
	Addr  uint64 // of a copy
	Bytes uint64
}

// List is a kernel list.
type List struct {
	File     string
	Commands []Command
}

// IsTraces reports whether a program's name is a folder, a kernel list, or a trace file.
func IsTraces(name string) bool {
	if s, err := os.Stat(name); err == nil && s.IsDir() {
		return true
	}
	base := filepath.Base(name)
	return base == ListName || filepath.Ext(base) == ".g" || isTrace(base)
}

func isTrace(base string) bool {
	for ext := filepath.Ext(base); ext != ""; ext = filepath.Ext(base) {
		if ext == ".traceg" || ext == tracezExt {
			return true
		}
		base = base[:len(base)-len(ext)]
	}
	return false
}

// OpenList reads a kernel list, or the list of a folder. A trace file is a list of itself.
func OpenList(name string) (*List, error) {
	if s, err := os.Stat(name); err != nil {
		return nil, err
	} else if s.IsDir() {
		dir := name
		name = filepath.Join(dir, ListName)
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return nil, &Error{File: dir, Msg: "found no " + ListName +
				" in the folder, expected a folder of Accel-Sim traces with that list of its kernels"}
		} else if err != nil {
			return nil, err
		}
	}
	if isTrace(filepath.Base(name)) {
		return &List{File: name, Commands: []Command{{Trace: name}}}, nil
	}
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l, err := readList(name, f)
	if err != nil {
		return nil, err
	}
	for _, c := range l.Commands {
		if c.Trace == "" {
			continue
		}
		if _, err := os.Stat(c.Trace); err != nil {
			return nil, &Error{name, c.Line, 1, "the trace " + c.Trace + " is missing"}
		}
	}
	return l, nil
}

func readList(name string, r io.Reader) (*List, error) {
	l := &List{File: name}
	in := newLines(r, maxLine)
	traces := 0
	for {
		line, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, locate(name, in.n, err)
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
			continue
		case bytes.HasPrefix(line, []byte("Memcpy")):
			c, err := readMemcpy(line)
			if err != nil {
				return nil, locate(name, in.n, err)
			}
			c.Line = in.n
			l.Commands = append(l.Commands, c)
		case bytes.HasPrefix(line, []byte("kernel")):
			trace, err := (&fields{b: line}).name()
			if err != nil {
				return nil, locate(name, in.n, err)
			}
			l.Commands = append(l.Commands, Command{Line: in.n, Trace: filepath.Join(filepath.Dir(name), trace)})
			traces++
		default:
			if what, at := infile.Odd(line); what != "" {
				return nil, locate(name, in.n, badField(at, "found %s, expected a kernel list, which is text", what))
			}
			f := fields{b: line}
			return nil, locate(name, in.n, f.bad(0, "a trace (kernel-1.traceg) or a copy (MemcpyHtoD,address,bytes)"))
		}
	}
	if traces == 0 {
		return nil, &Error{File: name, Msg: "found no kernel, expected lines such as kernel-1.traceg"}
	}
	return l, nil
}

// readMemcpy reads MemcpyHtoD,0xaddress,bytes.
func readMemcpy(line []byte) (c Command, err error) {
	parts := bytes.SplitN(line, []byte(","), 4)
	if len(parts) != 3 {
		return c, badField(0, "found %d fields, expected three: MemcpyHtoD,address,bytes", len(parts))
	}
	at := len(parts[0]) + 1
	a := fields{b: parts[1]}
	if c.Addr, err = a.hex("an address"); err != nil {
		return c, shift(err, at)
	}
	n := fields{b: parts[2]}
	size, err := n.count(1<<50, "a number of bytes")
	c.Bytes = uint64(size)
	return c, shift(err, at+len(parts[1])+1)
}

func shift(err error, by int) error {
	if f, ok := err.(*fieldError); ok {
		return &fieldError{f.at + by, f.msg}
	}
	return err
}

// locate puts file and line before an error.
func locate(file string, line int, err error) error {
	if f, ok := err.(*fieldError); ok {
		return &Error{file, line, f.at + 1, f.msg}
	}
	if _, ok := err.(*Error); ok {
		return err
	}
	if err == io.ErrUnexpectedEOF {
		return &Error{file, line, 0, "found the end of the compressed data, expected more of it"}
	}
	return &Error{file, line, 0, err.Error()}
}
