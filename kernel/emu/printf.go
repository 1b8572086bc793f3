package emu

import (
	"fmt"
	"math"
	"os"
	"strings"

	"kumiko/kernel/ir"
)

// printf formats as the device's vprintf does. The arguments are in a buffer one after the other at their natural
// alignment, promoted as in C.

// longestString bounds the strings read by printf, in bytes.
const longestString = 4096

func decodePrintf(p *decoder) {
	// Both addresses are generic and may have 32 or 64 bits.
	p.out.a = p.source(p.src(0), ir.U64, addressWords(p.src(0)))
	p.out.b = p.source(p.src(1), ir.U64, addressWords(p.src(1)))
	wa, wb := addressWords(p.src(0)) == 2, addressWords(p.src(1)) == 2
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		for m := exec; m != 0 && w.state != failed; m &= m - 1 {
			l := lowest(m)
			w.printf(l, w.address(in.a, l, wa), w.address(in.b, l, wb))
		}
	}
}

func addressWords(o ir.Operand) int {
	if o.Kind == ir.KindReg && o.Words == 1 {
		return 1
	}
	return 2
}

func (w *warp) address(r int32, l int, wide bool) uint64 {
	if wide {
		return lane64(w.pair(r), l)
	}
	return uint64(w.rows[r][l])
}

// printf prints for one lane.
func (w *warp) printf(l int, format, args uint64) {
	f := w.printable(l, format)
	var s strings.Builder
	for i := 0; i < len(f) && w.state != failed; {
		if f[i] != '%' {
			s.WriteByte(f[i])
			i++
			continue
		}
		end := i + 1
		for end < len(f) && strings.IndexByte("-+ #0123456789.*hlLqjzt", f[end]) >= 0 {
			end++
		}
		if end == len(f) {
			s.WriteString(f[i:])
			break
		}
		s.WriteString(w.conversion(l, f[i+1:end], f[end], &args))
		i = end + 1
	}
	out := w.eng.l.Out
	if out == nil {
		out = os.Stderr
	}
	if w.state != failed {
		fmt.Fprint(out, s.String())
	}
}

// conversion formats one argument.
func (w *warp) conversion(l int, flags string, verb byte, args *uint64) string {
	if verb == '%' {
		return "%"
	}
	for strings.Contains(flags, "*") {
		flags = strings.Replace(flags, "*", fmt.Sprint(int32(w.argument(l, 4, args))), 1)
	}
	long := strings.ContainsAny(flags, "ljztq")
	flags = strings.Trim(flags, "hlLqjzt")
	size := uint64(4)
	if long {
		size = 8
	}
	switch verb {
	case 'd', 'i':
		v := int64(w.argument(l, size, args))
		if !long {
			v = int64(int32(v))
		}
		return fmt.Sprintf("%"+flags+"d", v)
	case 'u':
		return fmt.Sprintf("%"+flags+"d", w.argument(l, size, args))
	case 'x', 'X', 'o':
		return fmt.Sprintf("%"+flags+string(verb), w.argument(l, size, args))
	case 'c':
		return fmt.Sprintf("%"+flags+"s", string(rune(byte(w.argument(l, 4, args)))))
	case 's':
		return fmt.Sprintf("%"+flags+"s", w.printable(l, w.argument(l, 8, args)))
	case 'p':
		return fmt.Sprintf("%#x", w.argument(l, 8, args))
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
		return formatFloat(flags, verb, math.Float64frombits(w.argument(l, 8, args)))
	}
	return "%" + flags + string(verb)
}

// formatFloat writes a number as C does.
func formatFloat(flags string, verb byte, v float64) string {
	switch {
	case math.IsNaN(v):
		return fmt.Sprintf("%"+strings.Split(strings.ReplaceAll(flags, "0", " "), ".")[0]+"s", "nan")
	case math.IsInf(v, 0):
		s := "inf"
		if v < 0 {
			s = "-inf"
		}
		return fmt.Sprintf("%"+strings.Split(strings.TrimLeft(flags, "0"), ".")[0]+"s", s)
	case verb == 'a':
		verb = 'x'
	case verb == 'A':
		verb = 'X'
	case (verb == 'g' || verb == 'G') && !strings.Contains(flags, "."):
		flags += ".6"
	}
	return fmt.Sprintf("%"+flags+string(verb), v)
}

// argument reads the next argument of 4 or 8 bytes from the buffer.
func (w *warp) argument(l int, size uint64, args *uint64) uint64 {
	*args = (*args + size - 1) &^ (size - 1)
	b, err := w.bytes(l, *args, int(size))
	if err != nil {
		w.fail("thread %s: printf: %v", w.thread(l), err)
	}
	*args += size
	v := uint64(0)
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	return v
}

// printable returns the string at an address for printf.
func (w *warp) printable(l int, addr uint64) string {
	s, err := w.text(l, addr)
	if err != nil {
		w.fail("thread %s: printf: %v", w.thread(l), err)
	}
	return s
}

// text returns the string at a generic address, without its final zero.
func (w *warp) text(l int, addr uint64) (string, error) {
	var s []byte
	for len(s) < longestString {
		b, err := w.bytes(l, addr, 1)
		if err != nil {
			return "", err
		}
		if b[0] == 0 {
			break
		}
		s = append(s, b[0])
		addr++
	}
	return string(s), nil
}

// bytes returns the memory at a generic address as lane l sees it.
func (w *warp) bytes(l int, addr uint64, n int) ([]byte, error) {
	space, off := window(addr)
	var data []byte
	at := addr - off
	switch space {
	case ir.Shared:
		data = w.cta.shared
	case ir.Local:
		per := w.eng.l.localBytes()
		data = w.local[l*per : (l+1)*per]
	case ir.Const:
		data = w.eng.l.Const
	case ir.Param:
		data = w.eng.l.Params
	default:
		return w.eng.mem.Bytes(addr, n)
	}
	if at+uint64(n) > uint64(len(data)) {
		return nil, fmt.Errorf("address %#x lies outside %s space", addr, space)
	}
	return data[at : at+uint64(n)], nil
}
