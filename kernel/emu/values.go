package emu

import (
	"math/bits"

	"kumiko/kernel/stream"
)

// noteValues makes the instruction record the classes of its results, if it has register destinations. It becomes
// an instruction of kindExec, unless it is a control instruction. Programs without values keep their instructions as
// decoded, and do not look for values.
func (in *inst) noteValues() {
	if in.src.T.NDst == 0 {
		return
	}
	switch in.kind {
	case kindLanes:
		in.kind, in.exec = kindExec, execLanes
	case kindControl:
		// The results of barriers come later, and no class of theirs is known.
		ctl := in.ctl
		in.ctl = func(w *warp, in *inst, exec uint32) outcome {
			if exec != 0 {
				w.classify(in, false)
			}
			return ctl(w, in, exec)
		}
		return
	}
	exec := in.exec
	in.exec = func(w *warp, in *inst, lanes uint32) {
		exec(w, in, lanes)
		if w.state == running || w.state == parted {
			w.classify(in, w.waits == 0)
		}
	}
}

// execLanes executes an instruction of kindLanes.
func execLanes(w *warp, in *inst, exec uint32) {
	if exec == w.all {
		in.lanes(w, in, w.quad(in.d))
	} else {
		w.partial(in, exec)
	}
}

// classify records the classes of an instruction's results. While lanes wait for others, results come later, possibly
// to registers already noted, and no class is known.
func (w *warp) classify(in *inst, known bool) {
	t := &in.src.T
	for _, r := range t.Dst[:t.NDst] {
		v := stream.Unlike
		if known {
			v = stream.Classify((*[32]uint32)(&w.rows[r]), bits.Len32(w.all))
		}
		w.rec.values = append(w.rec.values, v)
	}
}
