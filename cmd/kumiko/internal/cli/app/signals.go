package app

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
)

// interrupts returns the signals that end a command in an orderly way. A hangup is left out if the program was
// started with hangups ignored, as by nohup.
func interrupts() []os.Signal {
	out := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}

// interruption handles the signals of one command.
type interruption struct {
	heeded atomic.Bool // the command checks its context
	exit   func()
}

// listen cancels the context at the first signal if the command checks its context. Otherwise, and at the second
// signal, it ends the program at once. stop ends the listening.
func (i *interruption) listen(ctx context.Context, signals <-chan os.Signal) (out context.Context, stop func()) {
	out, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-signals:
			}
			if !i.heeded.Load() || out.Err() != nil {
				i.exit()
				return
			}
			cancel()
		}
	}()
	return out, func() { close(done); cancel() }
}

// catch listens to the signals of the process. Even a program ended at once leaves no temporary files.
func (i *interruption) catch(ctx context.Context) (context.Context, func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, interrupts()...)
	i.exit = func() {
		Temporaries.removeAll()
		os.Exit(Interrupted)
	}
	out, stop := i.listen(ctx, signals)
	return out, func() { signal.Stop(signals); stop() }
}

// Temporaries are the files and folders being written under temporary names.
var Temporaries registry

// registry is a list of names.
type registry struct {
	mu    sync.Mutex
	names []string
}

func (r *registry) Add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names = append(r.names, name)
}

func (r *registry) Remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names = slices.DeleteFunc(r.names, func(n string) bool { return n == name })
}

// removeAll removes the named files from the disk. Something may be written to a folder while it is being removed,
// so removeAll tries several times.
func (r *registry) removeAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for range 3 {
		r.names = slices.DeleteFunc(r.names, func(n string) bool { return os.RemoveAll(n) == nil })
	}
}
