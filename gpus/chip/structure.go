package chip

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/storage"
	"kumiko/components/wire"
)

// Structure lists the blocks of an assembled machine and the links between them.
type Structure struct {
	Blocks []Block `json:"blocks"`
	Links  []Link  `json:"links"`
}

// Block is one component.
type Block struct {
	Name   string      `json:"name"`
	Kind   string      `json:"kind"` // its Go type, such as "bank.Bank"
	Domain string      `json:"domain"`
	Clock  float64     `json:"clock_hz"`
	Ports  []BlockPort `json:"ports"`
	// Parts are the names of the block's parts. State is the block's storage, by part.
	Parts []string        `json:"parts,omitempty"`
	State []storage.Field `json:"state,omitempty"`
}

// Bits returns the storage of the block in bits, without the storage already counted in a row of the design.
func (b *Block) Bits() int { return (&storage.Sum{Fields: b.State}).Bits() }

// BlockPort is a port of a block.
type BlockPort struct {
	Name      string `json:"name"` // within the block
	Direction string `json:"direction"`
	Message   string `json:"message"`            // Go type of its messages
	Capacity  int    `json:"capacity,omitempty"` // of an input, in messages, including messages on the link
	Connected bool   `json:"connected"`
}

// Link joins two ports.
type Link struct {
	From    string `json:"from"` // block
	Port    string `json:"port"` // of From
	To      string `json:"to"`   // block
	Input   string `json:"input"`
	Message string `json:"message"`
	Latency uint64 `json:"latency"` // cycles of the sender
}

// Structure lists the blocks of the chip and of one SM, and the links between these blocks.
func (g *Chip) Structure(sm int) (Structure, error) {
	if sm < 0 || sm >= len(g.SMs) {
		return Structure{}, fmt.Errorf("no SM %d; expected 0 to %d", sm, len(g.SMs)-1)
	}
	domains := append([]*wire.Domain{g.Core}, g.Memory.Domains...)
	return structureOf(append(domains, g.SMs[sm].Residency.Domain())...), nil
}

// structureOf lists the blocks of domains and the links among them.
func structureOf(domains ...*wire.Domain) Structure {
	s := Structure{Blocks: []Block{}, Links: []Link{}}
	inside, fed := map[string]bool{}, map[string]bool{}
	var sources []*wire.Source
	for _, d := range domains {
		for _, c := range d.Components() {
			inside[c.Name()] = true
			for _, p := range c.Ports() {
				if out, ok := p.(*wire.Source); ok {
					sources = append(sources, out)
					if to, _ := out.Peer(); to != nil {
						fed[to.Name()] = true
					}
				}
			}
		}
	}
	for _, d := range domains {
		for _, c := range d.Components() {
			s.Blocks = append(s.Blocks, blockOf(c, d, fed))
		}
	}
	for _, out := range sources {
		to, latency := out.Peer()
		if to == nil || !inside[to.Component().Name()] {
			continue
		}
		s.Links = append(s.Links, Link{From: out.Component().Name(), Port: portName(out), To: to.Component().Name(),
			Input:   portName(to),
			Message: out.MessageType(), Latency: latency})
	}
	return s
}

// portName returns a port's name within its block.
func portName(p sim.Port) string { return strings.TrimPrefix(p.Name(), p.Component().Name()+".") }

func blockOf(c sim.Component, d *wire.Domain, fed map[string]bool) Block {
	b := Block{Name: c.Name(), Kind: kindOf(c), Domain: d.Name(), Clock: float64(d.Freq()), Ports: []BlockPort{}}
	for _, p := range c.Ports() {
		q := BlockPort{Name: portName(p)}
		switch x := p.(type) {
		case *wire.Source:
			to, _ := x.Peer()
			q.Direction, q.Message, q.Connected = "out", x.MessageType(), to != nil
		case *wire.Sink:
			q.Direction, q.Message, q.Capacity, q.Connected = "in", x.MessageType(), x.Capacity(), fed[p.Name()]
		}
		b.Ports = append(b.Ports, q)
	}
	sum := storage.Of(c)
	b.Parts, b.State = sum.Parts, sum.Fields
	return b
}

// kindOf returns the Go type of a component, without package paths.
func kindOf(c sim.Component) string {
	t := strings.TrimPrefix(reflect.TypeOf(c).String(), "*")
	name, param, generic := strings.Cut(t, "[")
	if !generic {
		return name
	}
	return name + "[" + param[strings.LastIndex(param, "/")+1:]
}
