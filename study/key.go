package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"kumiko/benchmarks"
	"kumiko/kernel/fingerprint"
	"kumiko/kernel/host"
	"kumiko/study/record"
)

// Keys computes the names of records. A program is begun once for each benchmark, size and footprint, and a
// configuration is hashed once for each variant, stream and perturbation. Keys may be used by several goroutines.
type Keys struct {
	spec *Spec

	mu       sync.Mutex
	programs map[string]string // fingerprint by benchmark, size and footprint
	configs  map[machine]string
}

// machine identifies the configuration of a point.
type machine struct {
	variant string // or the stream's name
	stream  bool
	perturb int
}

// Keys returns the generator of the keys of a study's points.
func (s *Spec) Keys() *Keys {
	return &Keys{spec: s, programs: map[string]string{}, configs: map[machine]string{}}
}

// Key returns the SHA-256, in hexadecimal, of everything determining a point's record: the configuration's
// canonical hash, the program up to its first launch, size, footprint, perturbation, sampling, profile, splitting, kind
// of measurement and format. Names do not enter.
func (k *Keys) Key(p *record.Point) (string, error) {
	cfg, err := k.config(p)
	if err != nil {
		return "", err
	}
	program, err := k.program(p)
	if err != nil {
		return "", err
	}
	kind := "run"
	if p.Stream {
		kind = "stream"
	}
	h := sha256.New()
	fmt.Fprintf(h, "format %d\nkind %s\nconfiguration %s\nprogram %s\nsize %s\nregisters %s\nperturbation %d\n",
		record.Format, kind, cfg, program, p.Size, p.Registers, p.Perturb)
	if p.Sample != "" {
		fmt.Fprintf(h, "sample %s\n", p.Sample)
	}
	if p.Profile {
		fmt.Fprintln(h, "profile")
	}
	if p.Split != "" {
		fmt.Fprintf(h, "split %s into %d part %d\n", p.Split, p.Parts, p.Part)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// config returns the canonical hash of a point's configuration.
func (k *Keys) config(p *record.Point) (string, error) {
	id := machine{p.Variant, p.Stream, p.Perturb}
	k.mu.Lock()
	defer k.mu.Unlock()
	if sum, ok := k.configs[id]; ok {
		return sum, nil
	}
	cfg, err := k.spec.ConfigOf(p)
	if err != nil {
		return "", err
	}
	k.configs[id] = cfg.Hash()
	return k.configs[id], nil
}

func (k *Keys) program(p *record.Point) (string, error) {
	id := strings.Join([]string{p.Benchmark, p.Size, p.Registers}, "\n")
	k.mu.Lock()
	defer k.mu.Unlock()
	if sum, ok := k.programs[id]; ok {
		return sum, nil
	}
	sum, err := k.spec.fingerprint(p)
	if err != nil {
		return "", err
	}
	k.programs[id] = sum
	return sum, nil
}

// fingerprint identifies the program of a point: by its code and its inputs, or by the
// file of its traces or its recording.
func (s *Spec) fingerprint(p *record.Point) (string, error) {
	if r := s.Traces(p.Benchmark); r != nil {
		return r.Digest()
	}
	if c := s.captures[p.Benchmark]; c != nil {
		return c.Sum(), nil
	}
	if a := s.absent[p.Benchmark]; a != nil {
		return a.Sum, nil
	}
	program, wrap, err := s.Start(p)
	if err != nil {
		return "", err
	}
	sum, err := fingerprint.First(program, wrap)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Benchmark, err)
	}
	return sum, nil
}

// Start returns the host program of a point, and a wrapper between it and the
// machine; nil for none.
func (s *Spec) Start(p *record.Point) (host.Program, func(host.Runner) host.Runner, error) {
	app, err := s.Benchmark(p.Benchmark)
	if err != nil {
		return nil, nil, err
	}
	size, err := benchmarks.ParseSize(p.Size)
	if err != nil {
		return nil, nil, err
	}
	program, err := app.New(size)
	if err != nil {
		return nil, nil, err
	}
	if p.Registers == PaperRegisters && app.Printed() {
		return program, app.PaperRegisters, nil
	}
	return program, nil, nil
}

// Stored returns the record of a point in a store, or nil.
func (k *Keys) Stored(store *record.Store, p *record.Point) (*record.Record, error) {
	key, err := k.Key(p)
	if err != nil {
		return nil, err
	}
	return store.Get(p, key)
}
