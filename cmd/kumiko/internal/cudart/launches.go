package cudart

import (
	"errors"
	"fmt"
	"slices"

	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/recording"
	"kumiko/kernel/texture"
)

// launch runs a kernel to its end, and answers with what it has printed.
func (s *Session) launch(q *request, a *answer) error {
	k, err := s.asked(q)
	if err != nil {
		return err
	}
	l := &host.Launch{Module: k.module, Kernel: k.code.Name}
	for _, d := range []*[3]int{&l.Grid, &l.Block} {
		for i := range d {
			d[i] = q.size()
		}
	}
	l.DynShared, l.Cooperative = q.size(), q.u32() != 0
	place := s.place(q)
	if !l.Cooperative && k.code.Cluster == [3]int{} { // CTAs that need each other have the machine to themselves
		l.Queue = place
	}
	written := s.ranges(q)
	block := q.rest()
	if len(block) < k.code.ParamBytes {
		return fmt.Errorf("found %d bytes of parameters, expected %d", len(block), k.code.ParamBytes)
	}
	for i := range k.code.Params {
		p := &k.code.Params[i]
		l.Args = append(l.Args, host.Arg{Bytes: block[p.Offset : p.Offset+p.Size], Align: p.Align})
	}
	s.Launches++
	err = s.busy(func() error { return s.run(l, written) })
	if text := s.gpu.Printf.fetch(); err == nil {
		a.body = append(a.body, text...)
	}
	if err != nil && !errors.Is(err, stop.ErrInterrupted) {
		return s.note(fmt.Errorf("launch %d: %w", s.Launches, err))
	}
	return err
}

// place reads the place of a launch among those that may overlap; nil: it runs alone.
func (s *Session) place(q *request) *host.Queue {
	queued := q.u32() != 0
	out := &host.Queue{Stream: q.size(), ID: q.size(), Joins: q.u32() != 0}
	for n := q.size(); n > 0 && !q.bad; n-- {
		out.After = append(out.After, q.size())
	}
	if !queued {
		return nil
	}
	return out
}

// ranges reads the parts of memory that the host may have written since the launch before.
func (s *Session) ranges(q *request) []recording.Range {
	list := s.written[:0]
	for n := q.size(); n > 0 && !q.bad; n-- {
		list = append(list, recording.Range{Addr: q.u64(), Size: q.u64()})
	}
	s.written = list
	return list
}

// run runs a launch, and records it where the application is recorded.
func (s *Session) run(l *host.Launch, written []recording.Range) error {
	r := s.gpu.Record
	if r == nil {
		return s.gpu.Runner.Launch(l)
	}
	if err := r.Host(s.gpu.Memory, written); err != nil {
		return err
	}
	if err := s.gpu.Runner.Launch(l); err != nil {
		return err
	}
	return r.Launched(slices.Index(s.modules, l.Module), l, s.gpu.Memory)
}

// channelFormat is the kind of a texture's channels, cudaChannelFormatKind.
const (
	formatSigned = iota
	formatUnsigned
	formatFloat
)

var channelTypes = map[[2]uint32]ir.Type{
	{formatSigned, 8}: ir.S8, {formatSigned, 16}: ir.S16, {formatSigned, 32}: ir.S32,
	{formatUnsigned, 8}: ir.U8, {formatUnsigned, 16}: ir.U16, {formatUnsigned, 32}: ir.U32,
	{formatFloat, 32}: ir.F32,
}

// addressModes are the modes in the order of cudaTextureAddressMode.
var addressModes = []texture.Mode{texture.Wrap, texture.Clamp, texture.Mirror, texture.Border}

// texture reads the description of a texture.
func (s *Session) texture(q *request) (t texture.Texture, err error) {
	t.Addr, t.Width, t.Height = q.u64(), int(min(q.u64(), 1<<31)), int(min(q.u64(), 1<<31))
	pitch := q.u64()
	t.Depth, t.Layers = int(min(q.u64(), 1<<31)), int(min(q.u64(), 1<<31))
	bits := [4]uint32{q.u32(), q.u32(), q.u32(), q.u32()}
	kind := q.u32()
	known := false
	t.Type, known = channelTypes[[2]uint32{kind, bits[0]}]
	for _, b := range bits {
		if b != 0 && b != bits[0] {
			known = false
		} else if b != 0 {
			t.Channels++
		}
	}
	if !known {
		return t, s.note(&fault{errNotSupported, fmt.Sprintf("a texture with channels of %d bits and format %d is not "+
			"supported", bits, kind)})
	}
	if q.u32() == 1 {
		t.Filter = texture.Linear
	}
	modes := []uint32{q.u32(), q.u32(), q.u32()}
	t.Normalized = q.u32() != 0
	t.ReadNormalized = q.u32() != 0 && t.Type.Size() < 4
	for i, m := range modes {
		if int(m) < len(addressModes) {
			t.Address[i] = addressModes[m]
		}
		if !t.Normalized && (t.Address[i] == texture.Wrap || t.Address[i] == texture.Mirror) {
			t.Address[i] = texture.Clamp // as the programming guide has it, "Texture Memory"
		}
	}
	if row := uint64(t.Width * t.TexelBytes()); t.Height > 1 && pitch != row {
		return t, s.note(&fault{errNotSupported, fmt.Sprintf("a texture with a pitch of %d bytes for rows of %d is "+
			"not supported: use cudaMallocArray, or a width that is a multiple of 512 bytes", pitch, row)})
	}
	return t, nil
}

func (s *Session) bind(q *request) error {
	m, err := s.module(q)
	if err != nil {
		return err
	}
	name := q.string()
	t, err := s.texture(q)
	if err != nil {
		return err
	}
	if err := s.gpu.Memory.BindTexture(m, name, t); err != nil {
		return s.note(&fault{errTexture, err.Error()})
	}
	return s.record(&recording.Event{Kind: recording.Bound, Module: slices.Index(s.modules, m), Name: name, Texture: t})
}

func (s *Session) object(q *request, a *answer) error {
	t, err := s.texture(q)
	if err != nil {
		return err
	}
	handle, err := s.gpu.Memory.NewTexture(t)
	if err != nil {
		return s.note(&fault{errTexture, err.Error()})
	}
	a.u64(handle)
	return s.record(&recording.Event{Kind: recording.Created, Addr: handle, Texture: t})
}
