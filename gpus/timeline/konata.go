package timeline

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Konata writes the instructions of a window in the log format of the pipeline viewer Konata
// (Kanata 0004, github.com/shioyadan/Konata): one row per warp instruction, with its stages.
//
//	Is  from issue until a collector has the operation
//	Co  its operands are collected
//	Rd  all operands are there; it waits for its unit
//	Ex  in the unit, or in the memory system
//	Wb  from the result to the last write of a bank
type Konata struct {
	w     io.Writer
	rows  []*row
	waits []Wait
	open  map[uint32]*row // instructions in flight, by tag
}

// row is the life of an instruction: the first cycle of each of its stages, 0 for absent stages, and the cycle
// after its last one.
type row struct {
	text  string
	warp  uint16
	begin [numStages]uint64
	end   uint64
	// bank and crossbar are the cycles its operands waited for banks and for the crossbar.
	bank, crossbar uint64
	line           int32 // of the instruction
	conflicts      []Conflict
}

// Conflict counts the cycles in which an operation waited for a bank of its sub-core because another operation, or
// the operation itself, used the port.
type Conflict struct {
	Bank   int    `json:"bank"`
	Warp   int    `json:"warp"` // of the other
	Line   int    `json:"line"` // of the other's instruction
	Cycles uint64 `json:"cycles"`
}

// Stages of a row.
const (
	stageIssue = iota
	stageCollect
	stageReady
	stageExecute
	stageWrite
	numStages
)

var stageNames = [numStages]string{"Is", "Co", "Rd", "Ex", "Wb"}

// NewKonata returns a log. It is written to w when the recorder is closed.
func NewKonata(w io.Writer) *Konata { return &Konata{w: w, open: map[uint32]*row{}} }

// Log makes the recorder write the log as well.
func (r *recorder) Log(k *Konata) { r.konata = k }

// issued begins a row.
func (k *Konata) issued(o *operation, now uint64) {
	if k == nil {
		return
	}
	text := fmt.Sprintf("warp %d: %s", o.warp, o.inst)
	if o.kernel != "" {
		text = fmt.Sprintf("warp %d: %s: %s", o.warp, o.kernel, o.inst)
	}
	x := &row{text: text, warp: o.warp, end: now + 1, line: o.inst.Line}
	x.begin[stageIssue] = now
	k.rows = append(k.rows, x)
	if o.tag != 0 {
		k.open[o.tag] = x
	}
}

// enter records that a stage of an operation begins in a cycle. A later write of the same operation prolongs the
// stage.
func (k *Konata) enter(tag uint32, stage int, now uint64) {
	if k == nil {
		return
	}
	x := k.open[tag]
	if x == nil {
		return
	}
	if x.begin[stage] == 0 {
		x.begin[stage] = now
	}
	x.end = max(x.end, now+1)
}

// conflicts adds the cycles in which an operand of an operation waited for its bank and for the crossbar.
func (k *Konata) conflicts(tag uint32, bank, crossbar uint64) {
	if k == nil {
		return
	}
	if x := k.open[tag]; x != nil {
		x.bank += bank
		x.crossbar += crossbar
	}
}

// held adds a cycle in which an operation waited for a bank because of another operation.
func (k *Konata) held(tag uint32, bank uint8, by uint32) {
	if k == nil {
		return
	}
	if x := k.open[tag]; x != nil {
		x.bank++
	}
	k.blame(tag, bank, by)
}

// blame adds a cycle to the conflict of an operation with the operation that holds the bank.
func (k *Konata) blame(tag uint32, bank uint8, by uint32) {
	if k == nil {
		return
	}
	x, other := k.open[tag], k.open[by]
	if x == nil || other == nil {
		return
	}
	for i := range x.conflicts {
		if c := &x.conflicts[i]; c.Bank == int(bank) && c.Warp == int(other.warp) && c.Line == int(other.line) {
			c.Cycles++
			return
		}
	}
	x.conflicts = append(x.conflicts, Conflict{int(bank), int(other.warp), int(other.line), 1})
}

// Wait is a period in which a warp issued nothing. Reason is the name of a reason, or ready if the scheduler
// preferred other warps.
type Wait struct {
	Warp     int
	Reason   string
	From, To uint64
}

// waited records a wait within the window.
func (k *Konata) waited(warp int, reason string, from, to uint64) {
	if k != nil {
		k.waits = append(k.waits, Wait{warp, reason, from, to})
	}
}

// Waits returns the waits of all warps. The recorder must have been closed.
func (k *Konata) Waits() []Wait { return k.waits }

// Stages are the names of the stages of an Instruction, in order.
var Stages = []string{"issue", "collect", "ready", "execute", "write"}

// Instruction is the life of a warp instruction: the first cycle of each of its stages, 0 for absent stages, and
// the cycle after its last one. Bank and Crossbar are the cycles its operands, all together, waited for their banks
// and for the crossbar.
type Instruction struct {
	Warp           int
	Text           string
	Begin          []uint64
	End            uint64
	Bank, Crossbar uint64
	// Conflicts lists the operations it waited for, if the register file reports them.
	Conflicts []Conflict
}

// Instructions returns the instructions issued within the window, up to cycle to. The recorder must have been
// closed.
func (k *Konata) Instructions(to uint64) []Instruction {
	var out []Instruction
	for _, x := range k.rows {
		in := Instruction{Warp: int(x.warp), Text: x.text, Begin: make([]uint64, numStages), End: min(x.end, to),
			Bank: x.bank, Crossbar: x.crossbar, Conflicts: x.conflicts}
		for s, at := range x.begin {
			if at < to {
				in.Begin[s] = at
			}
		}
		out = append(out, in)
	}
	return out
}

// logLine is a line of the log, with its cycle.
type logLine struct {
	at   uint64
	text string
}

// write writes the rows, cycle by cycle. Instructions in flight at cycle to end there.
func (k *Konata) write(from, to uint64) error {
	var lines []logLine
	add := func(at uint64, format string, args ...any) {
		lines = append(lines, logLine{at, fmt.Sprintf(format, args...)})
	}
	for id, x := range k.rows {
		add(x.begin[stageIssue], "I\t%d\t%d\t%d", id, id, x.warp)
		add(x.begin[stageIssue], "L\t%d\t0\t%s", id, strings.ReplaceAll(x.text, "\t", " "))
		end := min(x.end, to)
		for s, at := range x.begin {
			if at == 0 && s != stageIssue || at >= to {
				continue
			}
			until := end
			for _, next := range x.begin[s+1:] {
				if next != 0 {
					until = min(next, to)
					break
				}
			}
			add(at, "S\t%d\t0\t%s", id, stageNames[s])
			add(max(until, at), "E\t%d\t0\t%s", id, stageNames[s])
		}
		add(end, "R\t%d\t%d\t0", id, id)
	}
	slices.SortStableFunc(lines, func(a, b logLine) int { return cmp.Compare(a.at, b.at) })
	out := bufio.NewWriter(k.w)
	fmt.Fprintf(out, "Kanata\t0004\nC=\t%d\n", from)
	now := from
	for _, l := range lines {
		if l.at > now {
			fmt.Fprintf(out, "C\t%d\n", l.at-now)
			now = l.at
		}
		fmt.Fprintln(out, l.text)
	}
	return out.Flush()
}
