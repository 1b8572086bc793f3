//go:build unix

package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

//go:embed observe.h
var observe []byte

// sdk stands for the headers of CUDA's SDK that programs include by these names.
//
//go:embed sdk.h
var sdk []byte

var sdkNames = []string{"cutil", "cutil_inline", "sdkHelper", "shrUtils", "shrQATest"}

// fixedTime is time() for programs that seed random numbers with it. Its value is of no account.
const fixedTime = "#include <time.h>\ntime_t time(time_t *t) { if (t) *t = 1234567; return 1234567; }\n"

// bench builds and runs programs.
type bench struct {
	kumiko, suites, work, toolkit string
	limit                         time.Duration // of each step of a program
}

// begin makes the work folder ready.
func (b *bench) begin(ctx context.Context, suites string) (err error) {
	if b.kumiko, err = absolute(b.kumiko); err != nil {
		return err
	}
	if b.suites, err = filepath.Abs(suites); err != nil {
		return err
	}
	if b.work, err = filepath.Abs(b.work); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, b.kumiko, "nvcc", "--toolkit").Output()
	if err != nil {
		return fmt.Errorf("%s nvcc --toolkit: %w", b.kumiko, err)
	}
	b.toolkit = strings.TrimSpace(string(out))
	for _, folder := range []string{"bin", "sdk"} {
		if err := os.MkdirAll(filepath.Join(b.work, folder), 0o755); err != nil {
			return err
		}
	}
	files := map[string][]byte{"observe.h": observe, "time.c": []byte(fixedTime), "sdk/sdk.h": sdk,
		"bin/nvcc": fmt.Appendf(nil, "#!/bin/sh\nexec '%s' nvcc \"$@\"\n", b.kumiko)}
	for _, name := range sdkNames {
		files["sdk/"+name+".h"] = []byte("#include \"sdk.h\"\n")
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(b.work, name), text, 0o755); err != nil {
			return err
		}
	}
	build := exec.CommandContext(ctx, "cc", "-shared", "-fPIC", "-o", "time.so", "time.c")
	build.Dir = b.work
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cc: %w: %s", err, out)
	}
	return nil
}

// result is what became of a program.
type result struct {
	built, ran time.Duration
	err        error
	recording  string
	note       string
}

func (r *result) verdict() string {
	if r.err == nil {
		return "yes"
	}
	text, _, _ := strings.Cut(r.err.Error(), "\n")
	return "no: " + strings.ReplaceAll(text, "|", "/")
}

// try builds, runs and checks a program.
func (b *bench) try(ctx context.Context, p *program, capture bool) (r result) {
	if p.Stopped != "" {
		r.err = errors.New(p.Stopped)
		return r
	}
	dir, err := b.prepare(p)
	if err != nil {
		r.err = err
		return r
	}
	begin := time.Now()
	_, r.err = b.shell(ctx, p, dir, p.Build, "build.log")
	r.built = time.Since(begin)
	if r.err != nil {
		return r
	}
	begin = time.Now()
	out, err := b.shell(ctx, p, dir, p.Run, "run.log")
	r.ran = time.Since(begin)
	if r.err = err; err != nil {
		return r
	}
	if p.CPU != "" {
		if _, r.err = b.shell(ctx, p, dir, p.CPU, "cpu.log"); r.err != nil {
			return r
		}
	}
	if r.err = b.right(p, dir, out); r.err == nil && capture {
		r.recording, r.err = b.capture(ctx, p, dir)
	}
	return r
}

// prepare copies the folder of a program and makes its inputs. The other folders of the suite are links.
func (b *bench) prepare(p *program) (string, error) {
	suite, copied := filepath.Join(b.suites, p.suite), filepath.Join(b.work, p.suite, p.Name)
	from, dir := filepath.Join(suite, p.Folder), filepath.Join(copied, p.Folder)
	if _, err := os.Stat(from); err != nil {
		return "", fmt.Errorf("found no folder %s, expected the suite there", from)
	}
	if err := os.RemoveAll(copied); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(copied, "data"), 0o755); err != nil {
		return "", err
	}
	if err := linkBeside(suite, copied, p.Folder); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		return "", err
	}
	for _, e := range p.Edits {
		if err := edit(filepath.Join(dir, e[0]), e[1], e[2]); err != nil {
			return "", err
		}
	}
	for _, in := range p.Inputs {
		file := filepath.Join(dir, in[1])
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := inputs[in[0]](file, in[2:]); err != nil {
			return "", fmt.Errorf("input %s: %w", in[1], err)
		}
	}
	return dir, nil
}

// linkBeside makes links to what is beside a folder and beside those that it is in. The inputs, in the folder data, are
// our own.
func linkBeside(from, to, folder string) error {
	next, rest, deeper := strings.Cut(folder, "/")
	others, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, e := range others {
		if n := e.Name(); n != next && n != "data" {
			if err := os.Symlink(filepath.Join(from, n), filepath.Join(to, n)); err != nil {
				return err
			}
		}
	}
	if !deeper {
		return nil
	}
	return linkBeside(filepath.Join(from, next), filepath.Join(to, next), rest)
}

// edit replaces the one match of an expression in a file.
func edit(file, expression, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return err
	}
	if n := len(re.FindAllIndex(old, -1)); n != 1 {
		return fmt.Errorf("%s: found %d matches of %s, expected one: another version of the suite", file, n, expression)
	}
	return os.WriteFile(file, re.ReplaceAll(old, []byte(text)), 0o644)
}

// shell runs a script in a folder, and keeps its output there.
func (b *bench) shell(ctx context.Context, p *program, dir, script, log string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-ec", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NVCC="+b.kumiko+" nvcc", "TOOLKIT="+b.toolkit, "KUMIKO="+b.kumiko,
		"SUITE="+filepath.Join(b.work, p.suite, p.Name), "OBSERVE="+filepath.Join(b.work, "observe.h"),
		"SDK="+filepath.Join(b.work, "sdk"),
		"PATH="+filepath.Join(b.work, "bin")+":"+os.Getenv("PATH"))
	if p.Fixed && log != "build.log" {
		cmd.Env = append(cmd.Env, "LD_PRELOAD="+filepath.Join(b.work, "time.so"))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if werr := os.WriteFile(filepath.Join(dir, log), out.Bytes(), 0o644); werr != nil {
		return nil, werr
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("no end of %s after %v", strings.TrimSuffix(log, ".log"), b.limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.TrimSuffix(log, ".log"), err, telling(out.Bytes()))
	}
	return out.Bytes(), nil
}

// telling returns the line of an output that tells most about a failure.
func telling(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, l := range lines {
		if strings.Contains(l, "error:") || strings.Contains(l, "kumiko:") {
			return l
		}
	}
	return lines[len(lines)-1]
}

// right checks the results of a program.
func (b *bench) right(p *program, dir string, out []byte) error {
	for _, e := range []struct {
		text string
		want bool
	}{{p.Expect, true}, {p.Refuse, false}} {
		if e.text == "" {
			continue
		}
		re, err := regexp.Compile(e.text)
		if err != nil {
			return err
		}
		if found := re.Find(out); (found != nil) != e.want && e.want {
			return fmt.Errorf("its output has no %q", e.text)
		} else if (found != nil) != e.want {
			return fmt.Errorf("its output has %q", found)
		}
	}
	for i := range p.Compare {
		if err := p.Compare[i].equal(dir); err != nil {
			return err
		}
	}
	if p.Check != "" {
		return checks[p.Check](dir)
	}
	return nil
}
