package ptx

// family is a group of unsupported instructions of PTX.
type family struct {
	what   string
	since  isa
	remedy string // empty: none is known
}

// Remedies for families of instructions.
const (
	byMMA    = "write the product with mma.sync"
	byGlobal = "let CTAs exchange data through global memory, from one launch to the next"
	byCTA    = "give each CTA its part by %ctaid"
	byHalves = "use two registers of 64 bits and their vectors"
	byCopy   = "copy with cp.async, cp.async.bulk, or loads and stores"
)

// unsupported has the unsupported opcodes of PTX. The versions are for the messages alone: no module is refused
// because of one.
var unsupported = map[string]family{}

func init() {
	for _, f := range []struct {
		family
		ops []string
	}{
		{family{"matrix operations of a warpgroup", isa{8, 0}, byMMA}, []string{"wgmma"}},
		{family{"tensor cores of the fifth generation", isa{8, 6}, byMMA}, []string{"tcgen05"}},
		{family{"addresses in a cluster", isa{7, 8}, byGlobal}, []string{"mapa", "getctarank"}},
		{family{"control of cluster launches", isa{8, 6}, byCTA}, []string{"clusterlaunchcontrol"}},
		{family{"multicast memory", isa{8, 1}, "access each GPU's memory by its own address"}, []string{"multimem"}},
		{family{"tensor maps", isa{8, 3}, byCopy}, []string{"tensormap"}},
		{family{"scalar video", isa{2, 0}, "select parts with bfe and compute with integer instructions"},
			[]string{"vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset", "vmad"}},
	} {
		for _, op := range f.ops {
			unsupported[op] = f.family
		}
	}
}

// unsupportedTypes are the types of PTX without a supported instruction, with the version of their introduction.
var unsupportedTypes = map[string]isa{"b1": {6, 3}, "b4": {8, 6}, "u4": {6, 3}, "s4": {6, 3}, "u2": {6, 5},
	"s2": {6, 5}, "e4m3": {8, 4}, "e5m2": {8, 4}, "e2m3": {8, 7}, "e3m2": {8, 7}, "e2m1": {8, 7}, "e2m3x2": {8, 6},
	"e3m2x2": {8, 6}, "e2m1x2": {8, 6}, "ue8m0": {8, 7}, "ue8m0x2": {8, 6}, "e4m3x4": {8, 7}, "e5m2x4": {8, 7},
	"e2m3x4": {8, 7}, "e3m2x4": {8, 7}, "e2m1x4": {8, 7}}

// unsupportedForms are the unsupported forms of supported opcodes, by a modifier.
var unsupportedForms = map[string]family{
	"cp.tensor":       {"copies of tensors", isa{8, 0}, byCopy},
	"cp.reduce":       {"asynchronous reductions", isa{8, 0}, "reduce with red.global or atom"},
	"barrier.cluster": {"barriers of a cluster", isa{7, 8}, byGlobal},
	"st.async":        {"asynchronous stores to a cluster", isa{8, 1}, byGlobal},
	"red.async":       {"asynchronous reductions in a cluster", isa{8, 1}, byGlobal},
	"mov.b128":        {"registers of 128 bits", isa{8, 3}, byHalves},
	"ld.b128":         {"registers of 128 bits", isa{8, 3}, byHalves},
	"st.b128":         {"registers of 128 bits", isa{8, 3}, byHalves},
}

// vectors are the lengths of vectors, not listed in rows.
var vectors = map[string]bool{"v2": true, "v4": true, "v8": true}

// words are the modifiers of supported instructions, filled together with opcodes.
var words = map[string]bool{}

// refuse reports an instruction without a row as unsupported or unknown in PTX.
func (e *emitter) refuse(in *inst) {
	if f, ok := unsupported[in.op]; ok {
		e.unsupported(in, f)
		return
	}
	e.errs.add(in.pos, "found the instruction %s, which PTX up to %s does not have", in.full(), newest())
}

func (e *emitter) unsupported(in *inst, f family) {
	remedy := ""
	if f.remedy != "" {
		remedy = ": " + f.remedy
	}
	e.errs.add(in.pos, "found the instruction %s, which is not supported (%s, in PTX since %s)%s", in.full(), f.what,
		f.since, remedy)
}

// suffixes checks that everything behind the opcode is a type or a modifier of some supported instruction.
func (d *decoder) suffixes() bool {
	ok := true
	for _, m := range d.in.mods {
		if f, is := unsupportedForms[d.in.op+"."+m.text]; is {
			d.e.unsupported(d.in, f)
			return false
		}
		_, isType := typeNames[m.text]
		since, known := unsupportedTypes[m.text]
		switch {
		case known:
			d.errorf(m.pos, "found the type .%s in %s, which is not supported (in PTX since %s)", m.text,
				d.in.full(), since)
			ok = false
		case !isType && !words[m.text] && !vectors[m.text]:
			d.errorf(m.pos, "found .%s in %s, which is neither a type nor a modifier that is known", m.text,
				d.in.full())
			ok = false
		}
	}
	return ok
}
