package cudart

import (
	"fmt"
	"net"
	"os"
	"time"

	"kumiko/gpus/config"
	"kumiko/kernel/emu"
	"kumiko/kernel/mem"
	"kumiko/kernel/recording"
)

// longest is the number of instructions of a warp after which an emulated launch is stopped as endless. It is some
// hours of emulation.
const longest = 1 << 36

// Emulated returns a GPU that executes kernels and has no time of its own: its time is this machine's.
func Emulated(c *config.Config) GPU {
	g := GPU{Config: c, Memory: &mem.Memory{}, Printf: &Output{}}
	g.Runner = &emu.Runner{Mem: g.Memory, Out: g.Printf, Limits: emu.Limits{SharedBytes: c.CompileSpec().CTAShared,
		WarpInsts: longest}}
	begin := time.Now()
	g.Time = func(int, []int) uint64 { return uint64(time.Since(begin)) }
	return g
}

// inherited is the descriptor of the connection that an application gives its emulator (runtime/wire.c).
const inherited = 3

// Emulate serves the application that has started this process, until it ends.
func Emulate(c *config.Config) error {
	f := os.NewFile(inherited, "application")
	conn, err := net.FileConn(f)
	if err != nil {
		return fmt.Errorf("found no connection to an application at descriptor %d, expected to be started by one: %w",
			inherited, err)
	}
	f.Close()
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return fmt.Errorf("found a connection of kind %s at descriptor %d, expected a Unix socket",
			conn.LocalAddr().Network(), inherited)
	}
	shared, err := NewShared(recording.Bytes)
	if err != nil {
		return err
	}
	s, err := NewSession(Emulated(c), shared)
	if err != nil {
		return err
	}
	return s.Serve(unix, func() { os.Exit(0) }) // nobody is left to wait for a launch
}
