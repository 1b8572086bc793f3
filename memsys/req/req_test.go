package req

import "testing"

func TestASectorHasEightLanesOfARegister(t *testing.T) {
	for _, c := range []struct {
		lanes, whole uint32
		sectors      uint8
		bytes        uint8
	}{
		{lanes: 0, whole: 0, sectors: 0, bytes: 0},
		{lanes: 1, whole: 0xff, sectors: 1, bytes: 4},
		{lanes: 1 << 7, whole: 0xff, sectors: 1, bytes: 4},
		{lanes: 1 << 8, whole: 0xff00, sectors: 2, bytes: 4},
		{lanes: 1<<31 | 1<<15, whole: 0xff00ff00, sectors: 0b1010, bytes: 8},
		{lanes: 0xffffffff, whole: 0xffffffff, sectors: 0b1111, bytes: 128},
	} {
		if s := SectorsOf(c.lanes); s != c.sectors {
			t.Errorf("sectors of lanes %#x: %04b, want %04b", c.lanes, s, c.sectors)
		}
		if l := LanesOf(c.sectors); l != c.whole {
			t.Errorf("lanes of sectors %04b: %#x, want %#x", c.sectors, l, c.whole)
		}
		if b := BytesOf(c.lanes); b != c.bytes {
			t.Errorf("bytes of lanes %#x: %d, want %d", c.lanes, b, c.bytes)
		}
	}
}

func TestAPacketHasAHeaderAndItsData(t *testing.T) {
	const some = 0b1011 // sectors
	for _, c := range []struct {
		name   string
		packet Packet
		data   int
	}{
		{"request to read", Packet{Kind: Read, Sectors: some}, 0},
		{"reply to a read", Packet{Kind: Read, Reply: true, Sectors: some}, 96},
		{"request to write", Packet{Kind: Write, Sectors: some, Bytes: 40}, 40},
		{"reply to a write", Packet{Kind: Write, Reply: true, Sectors: some, Bytes: 40}, 0},
		{"request for an atomic", Packet{Kind: Atomic, Sectors: some, Bytes: 12}, 12},
		{"reply to an atomic, with the old values", Packet{Kind: Atomic, Reply: true, Sectors: some, Bytes: 12}, 12},
		{"reply to a reduction", Packet{Kind: Reduce, Reply: true, Sectors: some, Bytes: 12}, 0},
	} {
		if got := c.packet.Data(); got != c.data {
			t.Errorf("%s: %d bytes of data, want %d", c.name, got, c.data)
		}
		if got := c.packet.Size(); got != 8+c.data {
			t.Errorf("%s: %d bytes, want a header of 8 more than its data", c.name, got)
		}
	}
}

func TestAPostedPacketSaysSo(t *testing.T) {
	for flags, want := range map[Flags]bool{0: false, NoAllocate: false, Posted: true, Posted | NoAllocate: true} {
		if p := (&Packet{Flags: flags}); p.Posted() != want {
			t.Errorf("flags %b: posted %v, want %v", flags, p.Posted(), want)
		}
	}
}

func TestTheAnswerToATransactionReturnsInATag(t *testing.T) {
	for _, want := range []Done{{}, {Slot: 65535, Index: 3, Of: 255}, {Slot: 7, Index: 1, Of: 2}} {
		if got, ok := TagDone(want.Tag()); !ok || got != want {
			t.Errorf("the tag of %+v gives %+v, %v", want, got, ok)
		}
	}
	if _, ok := TagDone(1<<31 - 1); ok {
		t.Error("the greatest tag of a miss status holding register is taken for an answer")
	}
}
