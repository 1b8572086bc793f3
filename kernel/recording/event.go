package recording

import (
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
	"kumiko/kernel/texture"
)

// Magic begins a file. The number is that of the format.
const Magic = "kumiko application 5\n"

// older begins a file of the format before, which has no streams: each launch begins when the one before it has ended.
const older = "kumiko application 4\n"

// Kind is the kind of an event.
type Kind uint8

const (
	// The comments say what a call did and, capitalised, the fields of Event that have its arguments.

	Loaded    Kind = iota + 1 // modules: Texts has the PTX of each; several are linked
	Allocated                 // Size bytes, in a region at Addr
	Freed                     // the region at Addr
	Written                   // Data, to the constant Name of Module, from byte Addr on
	Bound                     // Texture, to the reference Name of Module
	Created                   // Texture, as the object with handle Addr
	Copied                    // the host wrote to memory: Pages are the changed ones
	Launched                  // the kernel Name of Module
)

// Event is a call of an application, as recorded.
type Event struct {
	Kind        Kind
	Name        string
	Module      int
	Addr, Size  uint64
	Data        []byte
	Texts       [][]byte
	Texture     texture.Texture
	Grid, Block [3]int
	Shared      int
	Cooperative bool
	// Queue places a launch among others that may overlap; nil: it runs alone.
	Queue *host.Queue
	Args  [][]byte
	Pages []Page
	// Changed has the pages changed by the launch, Sum the digest of their digests.
	Changed []Range
	Sum     []byte
	buffer  []byte // has the data of Pages
}

// Range is a part of the memory. The pages in one of Changed are of one region.
type Range struct{ Addr, Size uint64 }

// Page is the part of a region in a page. Equal pages are stored once: Data is that of the first of them, and
// the others have its number, counted from 1.
type Page struct {
	Addr uint64
	Same int
	Data []byte
}

// pageBytes is the size of a page in files.
const pageBytes = mem.PageBytes

// mostPages bounds the pages of one event, and so the memory that reading an event takes: 1 MiB.
const mostPages = 256
