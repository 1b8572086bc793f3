package ptx

import (
	"fmt"

	"kumiko/kernel/ir"
)

// module is the syntax tree of a translation unit with its symbols.
type module struct {
	file            string
	peers           []*module // the modules linked with it, itself included
	version, target string
	isa             isa // version
	sm              int // of target: 52 for sm_52
	addrSize        int // bytes
	vars            []*variable
	regs            []*variable // of module scope, one instance for each kernel
	funcs           []*function
	syms            map[string]*symbol
	aliases         [][2]token // .alias name, function
	aliasLinkage    map[string]linkage
	inner           []*variable        // declared by .extern in functions
	known           map[string]*symbol // what linked modules define for all
	wants           []string           // names that other modules are to define
	places          places             // next free addresses, behind this module and those linked with it
	recursive       map[*function]bool // functions found to call themselves, directly or not
	most            int                // instructions of a kernel
	building        string             // the kernel being built
	at              pos                // of its instruction
}

// variable is a declared name: a register (or a range of them), a parameter,
// or memory.
type variable struct {
	pos   pos
	name  string
	space ir.Space // SpaceNone: a register
	typ   ir.Type
	vec   int // elements per .v2/.v4, otherwise 1
	count int // registers of name<count>; 0: not a range
	array bool
	open  bool // first dimension empty
	dims  []int
	align int
	// pointee is the declared alignment of a pointer's target; 0: none.
	pointee int
	size    int // bytes
	extern  bool
	linkage linkage
	// unknown names a variable or a function that nothing defines, whose address is in the initial value.
	unknown string
	ref     bool // .texref, .samplerref, .surfref
	tex     bool // .texref, .surfref, or a variable of texture space: addr is its handle
	opaque  string
	// sampler has the properties of a .samplerref with an initialiser.
	sampler map[string]uint64
	init    *initial
	addr    uint64 // global, const; offset of a kernel parameter
}

// String returns the name as declared: %r<5> for a range.
func (v *variable) String() string {
	if v.count > 0 {
		return fmt.Sprintf("%s<%d>", v.name, v.count-1)
	}
	return v.name
}

// initial is an initialiser: a list or a value.
type initial struct {
	pos     pos
	list    []initial
	leaf    bool
	sym     string
	generic bool     // generic(sym)
	mask    uint64   // of mask(sym): the selected byte of the address
	value   constant // added to the symbol's address if there is one
}

// function is a .entry or a .func.
type function struct {
	pos     pos
	name    string
	home    *module
	kernel  bool
	extern  bool
	system  bool // of this package, as malloc is
	linkage linkage
	rets    []*variable
	params  []*variable
	body    *block // nil: declared only
	perf    [3][3]int
	maxRegs int
	minCTAs int
	// maxCluster is .maxclusterrank, clustered .explicitcluster.
	maxCluster int
	clustered  bool
	refs       map[string]bool // every name mentioned by the body
	calls      []string        // names of called functions
	taken      bool            // its address is
	addr       uint64
}

const (
	perfMax     = iota // .maxntid
	perfReq            // .reqntid
	perfCluster        // .reqnctapercluster
)

// block is a brace-enclosed scope.
type block struct {
	stmts  []stmt
	labels map[string]pos
}

type stmtKind uint8

const (
	stInst stmtKind = iota
	stLabel
	stBlock
	stDecl
	stProto   // .callprototype
	stTargets // .branchtargets, .calltargets
)

type stmt struct {
	kind  stmtKind
	pos   pos
	name  string // label, prototype, target list
	block *block
	vars  []*variable
	inst  *inst
	proto *function
	names []operand
}

// inst is an instruction as written.
type inst struct {
	pos   pos
	guard *operand
	op    string
	mods  []token
	ops   []operand
}

type operandKind uint8

const (
	opName operandKind = iota
	opConst
	opVector  // {a, b}
	opAddress // [a+b], [tex, {..}]: elems
	opPair    // a|b: elems
	opList    // (a, b): elems
	opSink    // _
)

type operand struct {
	kind    operandKind
	pos     pos
	name    string
	member  string // %tid.x, %v.y, or a byte selector
	not     bool
	minus   bool
	indexed bool // name[offset], in elements
	offset  int64
	value   constant
	elems   []operand
}

// constant is a literal or folded expression.
type constant struct {
	kind     tokenKind // tokInt, tokFloat, tokF32, tokF64
	bits     uint64
	unsigned bool // an integer of type .u64, not .s64
}

type symKind uint8

const (
	symReg symKind = iota
	symVar
	symFunc
	symProto
	symTargets
)

// symbol is the meaning of a name in a scope.
type symbol struct {
	kind  symKind
	typ   ir.Type
	vec   int
	reg   ir.Reg // first register; -1 until first used
	v     *variable
	fn    *function
	slot  *slot // call parameter
	local int64 // offset of a .local variable
	body  *body // body with it on its frame; nil: each thread has its own
	names []operand
	scope *scope // of a target list
}
