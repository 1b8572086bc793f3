package emu

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"unsafe"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// Limits bound a launch. A zero field stands for its default.
type Limits struct {
	// SharedBytes is the largest shared memory of a CTA, static and dynamic. Default 48 KiB, the most for a CTA of
	// compute capability 2.0 to 6.x (CUDA C++ Programming Guide, table of technical specifications).
	SharedBytes int
	// WarpInsts is the number of instructions of a warp after which the launch is stopped as endless. Default 2^25,
	// about a minute of emulation for a CTA of 16 warps.
	WarpInsts uint64
	// CutInsts, if not 0, is the number of instructions of a warp used by the consumer. If a warp executes more,
	// its CTA is handed over in its present state.
	CutInsts uint64
	// TurnInsts is the number of instructions a warp executes before another CTA gets a turn, in case this one
	// waits for it. Default 2^20. A spinning warp ends its turn at once.
	TurnInsts uint64
	// ResidentCTAs is the largest number of CTAs begun and not ended, while the first of them wait for later ones.
	// Default 512.
	ResidentCTAs int
	// ResidentBytes is the largest total size of the registers, the local and the shared memory of these CTAs, if
	// there is more than one. Default 4 GiB.
	ResidentBytes int
	// StackBytes is the size of a thread's stack, if functions call themselves or alloca is used. Default 16 KiB.
	// CUDA's is 1 KiB, and a host program raises it by cudaDeviceSetLimit.
	StackBytes int
	// LockStep: the lanes of a warp do not go on independently, as on GPUs before compute capability 7.0. A lane that
	// spins then keeps the lanes on other paths waiting.
	LockStep bool
	// RecordBytes is the size of the streams of the resident CTAs at which the launch is stopped as endless.
	// Default 1 GiB, some fifty million warp instructions. Past a quarter of it, a new CTA begins only if the
	// earlier ones cannot continue, and no longer because their turns are over.
	RecordBytes int
}

func (l *Limits) defaults() {
	set := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	set(&l.SharedBytes, 48<<10)
	set(&l.ResidentCTAs, 512)
	set(&l.ResidentBytes, 4<<30)
	set(&l.RecordBytes, 1<<30)
	set(&l.StackBytes, 16<<10)
	if l.WarpInsts == 0 {
		l.WarpInsts = 1 << 25
	}
	if l.TurnInsts == 0 {
		l.TurnInsts = 1 << 20
	}
}

// Launch is a checked kernel launch; NewLaunch makes it.
type Launch struct {
	Prog      *Program
	Mem       *mem.Memory
	Grid      [3]int // CTAs
	Block     [3]int // threads
	DynShared int    // bytes per CTA
	Params    []byte // the parameter block
	Const     []byte // the constant bank, read when the launch begins
	Out       io.Writer
	Limits    Limits
	module    *ir.Module // module of the texture references named by the kernel
	workspace uint64     // of a cooperative launch
	cluster   [3]int     // CTAs; 1,1,1 without clusters
	clustered bool       // the kernel or the launch says so
}

// mostResident returns the largest number of resident CTAs, and the name of the limit.
func (l *Launch) mostResident() (n int, why string) {
	one := l.Prog.k.SystemShared + l.Prog.k.SharedBytes + l.DynShared +
		(l.threads()+31)/32*(32*l.localBytes()+l.Prog.lay.size()*int(unsafe.Sizeof(row{})))
	if n := max(1, l.Limits.ResidentBytes/max(one, 1)); n < l.Limits.ResidentCTAs {
		return n, fmt.Sprintf("as many as %d bytes of registers and memory hold (--max-resident-bytes %d)",
			l.Limits.ResidentBytes, l.Limits.ResidentBytes)
	}
	return l.Limits.ResidentCTAs, fmt.Sprintf("the limit (--max-resident-ctas %d)", l.Limits.ResidentCTAs)
}

// stackBase returns the start of a thread's stack in its local memory.
func (l *Launch) stackBase() int { return (l.Prog.k.LocalBytes + 15) &^ 15 }

// localBytes returns the size of a thread's local memory, including its stack.
func (l *Launch) localBytes() int {
	if l.Prog.k.Stack {
		return l.stackBase() + l.Limits.StackBytes
	}
	return l.Prog.k.LocalBytes
}

// stackNote returns the stack's part of the local memory, for messages.
func (l *Launch) stackNote(s ir.Space) string {
	if s != ir.Local || !l.Prog.k.Stack {
		return ""
	}
	return fmt.Sprintf(", %d of them for the stack of calls and alloca (--max-stack-bytes %d)", l.Limits.StackBytes,
		l.Limits.StackBytes)
}

func (l *Launch) threads() int { return l.Block[0] * l.Block[1] * l.Block[2] }
func (l *Launch) ctas() int    { return l.Grid[0] * l.Grid[1] * l.Grid[2] }

// Largest grid and block, CUDA C++ Programming Guide, table of technical
// specifications, compute capability 3.0 and above.
var (
	maxGrid  = [3]int{1<<31 - 1, 65535, 65535}
	maxBlock = [3]int{1024, 1024, 64}
)

const maxThreads = 1024

// NewLaunch checks a launch against its kernel, and lays its arguments out in a parameter block. Its error lists
// all faults. printf writes to out.
func NewLaunch(p *Program, m *mem.Memory, l *host.Launch, lim Limits, out io.Writer) (*Launch, error) {
	lim.defaults()
	e := &Launch{Prog: p, Mem: m, Grid: l.Grid, Block: l.Block, DynShared: l.DynShared, Out: out, Limits: lim}
	errs := append(e.checkShape(), e.setCluster(l.Cluster)...)
	block, argErrs := packArgs(p, l.Args)
	errs = append(errs, argErrs...)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", p.k.Name, err)
	}
	e.Params = block
	if l.Cooperative {
		if most, why := e.mostResident(); e.ctas() > most {
			return nil, fmt.Errorf("kernel %s: a cooperative launch of %d CTAs, expected at most %d, %s", p.k.Name,
				e.ctas(), most, why)
		}
		e.workspace = m.GridWorkspace()
	}
	if l.Module != nil {
		e.module = l.Module
		if err := unbound(p.k, m, l.Module); err != nil {
			return nil, err
		}
		e.Const = arranged(p.k, m.ConstBank(l.Module))
		if err := m.LoadModule(l.Module); err != nil {
			return nil, fmt.Errorf("kernel %s: %w", p.k.Name, err)
		}
	}
	return e, nil
}

// arranged returns the constant bank of a launch in the layout of the kernel.
func arranged(k *ir.Kernel, module []byte) []byte {
	if k.Bank == nil {
		return module
	}
	var bank []byte
	for _, p := range k.Bank {
		data := p.Data
		if data == nil {
			data = module[min(p.From, len(module)):min(p.From+p.Size, len(module))]
		}
		if n := p.Offset + p.Size - len(bank); n > 0 {
			bank = append(bank, make([]byte, n)...)
		}
		copy(bank[p.Offset:p.Offset+p.Size], data)
	}
	return bank
}

// unbound returns an error for the unbound texture references of a kernel.
func unbound(k *ir.Kernel, m *mem.Memory, u *ir.Module) error {
	var errs []error
	for i, name := range u.Textures {
		if slices.Contains(k.Textures, name) && m.Texture(u, ir.TextureHandle(i)) == nil {
			errs = append(errs, fmt.Errorf("kernel %s: the texture %q is not bound", k.Name, name))
		}
	}
	return errors.Join(errs...)
}

func (l *Launch) checkShape() (errs []error) {
	add := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	axis := [3]string{"x", "y", "z"}
	for i := range 3 {
		if l.Grid[i] < 1 || l.Grid[i] > maxGrid[i] {
			add("grid %s is %d, expected 1 to %d", axis[i], l.Grid[i], maxGrid[i])
		}
		if l.Block[i] < 1 || l.Block[i] > maxBlock[i] {
			add("block %s is %d, expected 1 to %d", axis[i], l.Block[i], maxBlock[i])
		}
	}
	k := l.Prog.k
	if n := l.threads(); errs == nil && n > maxThreads {
		add("a CTA of %d threads, expected at most %d", n, maxThreads)
	}
	if k.ReqThreads != [3]int{} && l.Block != oneForZero(k.ReqThreads) {
		add("block %v, expected %v (.reqntid)", l.Block, oneForZero(k.ReqThreads))
	}
	if k.MaxThreads != [3]int{} {
		// The limit is on the total number of threads, PTX ISA section 11.4.2.
		m := oneForZero(k.MaxThreads)
		if most := m[0] * m[1] * m[2]; l.threads() > most {
			add("a CTA of %d threads, expected at most %d (.maxntid)", l.threads(), most)
		}
	}
	if l.DynShared < 0 || k.SharedBytes+l.DynShared > l.Limits.SharedBytes {
		add("%d bytes of shared memory (%d static and %d dynamic), expected at most %d "+
			"(sm.cta_shared_bytes of the GPU)",
			k.SharedBytes+l.DynShared, k.SharedBytes, l.DynShared, l.Limits.SharedBytes)
	}
	return errs
}

func oneForZero(v [3]int) [3]int {
	for i := range v {
		v[i] = max(v[i], 1)
	}
	return v
}

// packArgs lays the arguments out by the kernel's parameter declarations.
func packArgs(p *Program, args []host.Arg) (block []byte, errs []error) {
	k := p.k
	block = make([]byte, k.ParamBytes)
	if len(args) != len(k.Params) {
		return nil, []error{fmt.Errorf("%d arguments, expected %d", len(args), len(k.Params))}
	}
	for i, a := range args {
		d := &k.Params[i]
		if len(a.Bytes) != d.Size {
			errs = append(errs, fmt.Errorf("argument %d has %d bytes, expected %d for parameter %s (%s)",
				i+1, len(a.Bytes), d.Size, d.Name, paramType(d.Type.String(), d.Count, d.Array)))
			continue
		}
		if d.Offset+d.Size > len(block) {
			errs = append(errs, fmt.Errorf("parameter %s ends at byte %d of a block of %d",
				d.Name, d.Offset+d.Size, len(block)))
			continue
		}
		copy(block[d.Offset:], a.Bytes)
	}
	return block, errs
}

func paramType(t string, count int, array bool) string {
	if array {
		return fmt.Sprintf("%s[%d]", t, count)
	}
	return t
}

// noKernel reports a kernel missing in a module, and lists the module's kernels.
func noKernel(l *host.Launch) error {
	names := make([]string, len(l.Module.Kernels))
	for i, k := range l.Module.Kernels {
		names[i] = k.Name
	}
	return fmt.Errorf("%s has no kernel %q; it has %q", l.Module.File, l.Kernel, names)
}
