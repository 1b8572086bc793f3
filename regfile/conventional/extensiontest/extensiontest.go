// Package extensiontest is shared by the tests of a design's single block. It provides the sub-core for which the
// block is built, and a test's ends of the ports of its extension.
package extensiontest

import (
	"errors"
	"testing"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// errBuilt ends the building of a file when its first Part is known.
var errBuilt = errors.New("the part is known")

// Part returns the first sub-core of a conventional file in an SM, as New would give it to an
// extension. The rest of the file is not built.
func Part(t testing.TB, env *regfile.Env, s conventional.Spec, options ...conventional.Option) *conventional.Part {
	t.Helper()
	elsewhere := *env
	elsewhere.Domain, elsewhere.Stats = wire.NewDomain("Elsewhere", env.Domain.Freq()), &stats.Registry{}
	var part *conventional.Part
	extend := conventional.Extend(func(p *conventional.Part) (*conventional.Extension, error) {
		part = p
		return nil, errBuilt
	})
	if _, err := conventional.New(&elsewhere, &s, append(options, extend)...); !errors.Is(err, errBuilt) {
		t.Fatal(err)
	}
	part.Env = env
	return part
}

// Bench is a test's ends of the ports of an extension, by their names there. An end is nil where the
// extension has no port.
type Bench struct {
	Request  *wiretest.Source[bank.Request]
	Result   *wiretest.Source[bank.Access]
	Fill     *wiretest.Source[bank.Value]
	Captured *wiretest.Source[bank.Capture]
	Read     *wiretest.Sink[bank.Request]
	Write    *wiretest.Sink[bank.Access]
	Operand  *wiretest.Sink[bank.Value]
}

// Join joins a bench to an extension in a clock domain. room is the capacity of its sinks. They see an operand
// after the extension's latency, and another message a cycle after it is sent.
func Join(d *wire.Domain, x *conventional.Extension, room int) Bench {
	return Bench{
		Request: source("Request", d, x.Request), Result: source("Result", d, x.Result),
		Fill: source("Fill", d, x.Fill), Captured: source("Captured", d, x.Captured),
		Read: sink("Read", d, x.Read, room, 1), Write: sink("Write", d, x.Write, room, 1),
		Operand: sink("Operand", d, x.Operand, room, x.Latency),
	}
}

// Event is the arrival of a register, with its cycle. A test declares a type of its own of this kind.
type Event interface {
	~struct {
		At  wire.Cycle
		Reg ir.RegID
	}
}

// Written returns the writes of registers that have arrived at the banks.
func Written[E Event](b *Bench) (out []E) {
	for _, g := range b.Write.Got {
		out = append(out, E{At: g.Cycle, Reg: g.Msg.Reg})
	}
	return out
}

// Missed returns the reads of registers that have arrived at the banks.
func Missed[E Event](b *Bench) (out []E) {
	for _, g := range b.Read.Got {
		for i := range g.Msg.N {
			out = append(out, E{At: g.Cycle, Reg: g.Msg.Reg[i]})
		}
	}
	return out
}

func source[T any](name string, d *wire.Domain, in *wire.InPort[T]) *wiretest.Source[T] {
	if in == nil {
		return nil
	}
	return wiretest.NewSource(name, d, in)
}

func sink[T any](name string, d *wire.Domain, out *wire.OutPort[T], room, latency int) *wiretest.Sink[T] {
	if out == nil {
		return nil
	}
	s := wiretest.NewLooseSink[T](name, d, room)
	wire.Connect(out, &s.In, latency)
	return s
}
