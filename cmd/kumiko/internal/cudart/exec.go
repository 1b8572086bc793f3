package cudart

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"kumiko/gpus/stop"
	"kumiko/kernel/mem"
	"kumiko/kernel/recording"
)

// Application is a program to run, with the GPU of its launches.
type Application struct {
	Args           []string // the program and its arguments
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Cancel stops the launch under way for good, where its process has ended.
	Cancel func()
	// Begun, unless nil, is called with the started process.
	Begun func(*os.Process)

	mu       sync.Mutex // held while a process uses the GPU
	sessions int
	launches int
	fault    error

	ending  sync.Mutex
	over    bool     // the program has ended
	current *Session // nil: none yet
}

// patience is the time that an interrupted application has to end before it is killed.
const patience = 3 * time.Second

// Ended describes how an application ended.
type Ended struct {
	Status   int    // 128 and the number of a signal, as in a shell
	Text     string // such as "ended with status 1"
	Launches int
}

// Run starts the program and serves its launches on a GPU until it ends. Processes that it starts may launch kernels
// too, one after the other. dir is an empty folder; the caller removes it. The error is of the simulation, or tells
// why the program could not be started.
func (a *Application) Run(ctx context.Context, g GPU, dir string) (Ended, error) {
	path := filepath.Join(dir, "socket")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return Ended{}, fmt.Errorf("cannot make a socket for the application: %w", err)
	}
	defer l.Close()
	folder, err := libraries(ctx, a.Args[0])
	if err != nil {
		return Ended{}, err
	}
	cmd := exec.CommandContext(ctx, a.Args[0], a.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.Stdin, a.Stdout, a.Stderr
	cmd.Env = append(os.Environ(), "KUMIKO_SOCKET="+path, "KUMIKO="+executable())
	if folder != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+folder+":"+os.Getenv("LD_LIBRARY_PATH"))
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = patience
	if err := cmd.Start(); err != nil {
		return Ended{}, fmt.Errorf("cannot start the application: %w", err)
	}
	if a.Begun != nil {
		a.Begun(cmd.Process)
	}
	var sessions sync.WaitGroup
	sessions.Go(func() {
		a.accept(l, g, &sessions)
	})
	werr := cmd.Wait()
	l.Close()
	a.abandon()
	sessions.Wait()
	end := Ended{Status: cmd.ProcessState.ExitCode(), Launches: a.launches}
	end.Text = fmt.Sprintf("ended with status %d", end.Status)
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		end.Status = 128 + int(w.Signal())
		end.Text = fmt.Sprintf("was ended by a signal: %s", w.Signal())
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return end, stop.ErrInterrupted
	case a.fault != nil: // ErrInterrupted: the application has ended during a launch
		return end, a.fault
	case werr != nil && !errors.As(werr, &exit):
		return end, werr
	}
	return end, nil
}

// abandon stops the launch under way, because nobody waits for it any more.
func (a *Application) abandon() {
	a.ending.Lock()
	defer a.ending.Unlock()
	a.over = true
	if a.current != nil {
		a.current.end(a.Cancel)
	}
}

// begin makes a session the current one.
func (a *Application) begin(s *Session) {
	a.ending.Lock()
	defer a.ending.Unlock()
	a.current, s.earlier = s, a.launches
	s.over.Store(a.over)
}

// accept serves the connections of processes until the listener is closed.
func (a *Application) accept(l *net.UnixListener, g GPU, sessions *sync.WaitGroup) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return
		}
		sessions.Go(func() {
			defer conn.Close()
			if !a.turn() {
				refuse(conn)
				return
			}
			defer a.mu.Unlock()
			if err := a.serve(conn, g); err != nil && a.fault == nil {
				a.fault = err
			}
		})
	}
}

// turn waits until no other process uses the GPU, and locks. It waits for some time, because a process that has just
// ended may hold the lock for a moment, and reports false if another process goes on.
func (a *Application) turn() bool {
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if a.mu.TryLock() {
			return true
		}
		if time.Now().After(until) {
			return false
		}
	}
}

// refuse turns a process away.
func refuse(conn *net.UnixConn) {
	if _, err := readRequest(conn); err == nil {
		busy := &fault{errInit, "kumiko exec simulates one process at a time, and another one uses the GPU"}
		_, _ = conn.Write(encode(&answer{}, busy)) // the process may have ended
	}
}

// errSecond refuses to record more than one process.
var errSecond = errors.New("found a second process with launches, expected one application: record the program " +
	"itself, not its script")

// serve serves one process, with a memory of its own.
func (a *Application) serve(conn *net.UnixConn, g GPU) (err error) {
	if a.sessions++; a.sessions > 1 && g.Record != nil {
		return errSecond
	}
	shared, err := NewShared(recording.Bytes)
	if err != nil {
		return err
	}
	defer func() {
		*g.Memory = mem.Memory{}
		err = errors.Join(err, shared.Close())
	}()
	*g.Memory = mem.Memory{}
	s, err := NewSession(g, shared)
	if err != nil {
		return err
	}
	a.begin(s)
	err = s.Serve(conn, a.Cancel)
	a.launches += s.Launches
	if s.Fault != nil && (err == nil || errors.Is(err, stop.ErrInterrupted)) {
		err = s.Fault
	}
	return err
}
