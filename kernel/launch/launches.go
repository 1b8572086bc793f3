package launch

import (
	"kumiko/internal/excerpt"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
)

// launch is one [[launch]] with its arguments not yet resolved: addresses of buffers are known only on a device.
type launch struct {
	place  // of the kernel's name
	host   host.Launch
	args   []arg
	number int // in the order of the file

	clusters bool // its CTAs are in clusters
	program  *Program
	stream   int // 0: the default one
	after    []*launch
}

// Largest grid, block and CTA (CUDA C++ Programming Guide, technical
// specifications, compute capability 3.0 and above).
var (
	maxGrid  = [3]int64{1<<31 - 1, 65535, 65535}
	maxBlock = [3]int64{1024, 1024, 64}
	// maxCluster is the largest cluster that an H100 takes.
	maxCluster = [3]int64{16, 16, 16}
)

const maxThreads = 1024

// launch reads a launch of a kernel. It returns nil after an error.
func (r *reader) launch(v *value) step {
	r.keys(v, "kernel", "module", "grid", "block", "dynamic_shared", "registers", "args", "cooperative", "cluster",
		"repeat", "while", "swap", "stream", "name", "after")
	l := &launch{program: r.p}
	l.host.Grid = r.dims(v, "grid", maxGrid)
	l.host.Block = r.dims(v, "block", maxBlock)
	if v.get("cluster") != nil {
		l.host.Cluster = r.dims(v, "cluster", maxCluster)
	}
	l.host.DynShared = int(r.integer(v, "dynamic_shared", 0, 0, 1<<20))
	l.host.Registers = int(r.integer(v, "registers", 0, 0, 255))
	l.host.Cooperative = r.flag(v, "cooperative")
	r.counted(v.place)
	r.p.launches = append(r.p.launches, l)
	l.number = len(r.p.launches)
	r.stream(v, l)
	name := r.need(v, "kernel", "the name of a kernel", kindString)
	args := v.get("args")
	if args == nil {
		args = &value{kind: kindList, place: v.place}
	} else if !r.is(args, kindList) {
		return nil
	}
	if name == nil {
		r.argsOfNone(args)
		return nil
	}
	m, k := r.kernel(v, name)
	if k == nil {
		r.argsOfNone(args)
		return nil
	}
	l.host.Module, l.host.Kernel, l.place = m.Module, k.Name, name.place
	r.threads(v, k, l.host.Block)
	l.clusters = k.Cluster != [3]int{} || l.host.Cluster != [3]int{}
	r.needsTextures(k, name.place)
	l.args = r.args(args, m.Module, k)
	return l
}

// verbatim is an error in a message, already bounded in length.
type verbatim struct{ error }

func (v verbatim) String() string { return v.Error() }

// listed returns a possibly empty list of names for a message.
func listed(names []string) excerpt.List {
	if len(names) == 0 {
		return excerpt.List{"it has none"}
	}
	return names
}

// dims reads [x], [x, y] or [x, y, z].
func (r *reader) dims(v *value, name string, limit [3]int64) [3]int {
	out := [3]int{1, 1, 1}
	e := r.need(v, name, "its dimensions, such as [256, 1, 1]", kindList)
	if e == nil {
		return out
	}
	if len(e.list) < 1 || len(e.list) > 3 {
		r.errorf(e.place, "found %d dimensions, expected 1 to 3", len(e.list))
		return out
	}
	for i, d := range e.list {
		if !r.is(d, kindInt) {
			continue
		}
		if d.i < 1 || d.i > limit[i] {
			r.errorf(d.place, "found %d, expected 1 to %d", d.i, limit[i])
			continue
		}
		out[i] = int(d.i)
	}
	return out
}

// threads checks the block against the hardware and the kernel's directives.
func (r *reader) threads(v *value, k *ir.Kernel, b [3]int) {
	e := v.get("block")
	if e == nil {
		return
	}
	n := b[0] * b[1] * b[2]
	if n > maxThreads {
		r.errorf(e.place, "found %d threads per CTA, expected at most %d", n, maxThreads)
	}
	if q := k.ReqThreads; q[0] > 0 && q != b {
		r.errorf(e.place, "found a block of %v, expected %v as %s requires (.reqntid)", b, q, k.Name)
	}
	if q := k.MaxThreads; q[0] > 0 && n > q[0]*q[1]*q[2] {
		r.errorf(e.place, "found %d threads per CTA, expected at most %d as %s requires (.maxntid)", n, q[0]*q[1]*q[2],
			k.Name)
	}
}
