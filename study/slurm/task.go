package slurm

import (
	"context"
	"fmt"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/study"
	"kumiko/study/pool"
	"kumiko/study/record"
)

// Node is the interface of a task to its process.
type Node struct {
	Version string // of the simulator
	New     func(*config.Config, gpus.Options) (pool.Machine, error)
}

// Run executes a task of a manifest. A failing point leaves a record of its
// failure. Run returns an error only for a task without a record.
func (n *Node) Run(ctx context.Context, manifest string, index int) error {
	b, err := read(manifest)
	if err != nil {
		return err
	}
	if index < 0 || index >= len(b.Tasks) {
		return fmt.Errorf("%s: task %d: expected 0 to %d", manifest, index, len(b.Tasks)-1)
	}
	if b.Version != n.Version {
		return fmt.Errorf("%s: the simulator has changed since the task was submitted: it was %s and is %s", manifest,
			b.Version, n.Version)
	}
	t := &b.Tasks[index]
	s, err := study.LoadWith(b.Study, b.Captures)
	if err != nil {
		return err
	}
	if b.Size != "" {
		if err := s.Resize(b.Size); err != nil {
			return err
		}
	}
	s.Waves = b.Waves
	if err := t.check(s); err != nil {
		return err
	}
	store, err := record.OpenStore(b.Records)
	if err != nil {
		return err
	}
	pool := &pool.Pool{Spec: s, Store: store, Version: n.Version, Workers: 1, Check: b.Check || t.Check, New: n.New}
	out, err := pool.Run(ctx, t.Points)
	if err == nil && out.Left > 0 {
		err = stop.ErrInterrupted
	}
	return err
}

// check returns an error if the study has changed since the task was submitted.
func (t *Task) check(s *study.Spec) error {
	for i := range t.Points {
		p := &t.Points[i]
		if p.Stream && s.StreamConfig(p.Variant) == nil || !p.Stream && s.Variant(p.Variant) == nil {
			return fmt.Errorf("%s: study %s has changed since the task was submitted: it has no %s", p, s.Name,
				p.Variant)
		}
		key, err := s.Keys().Key(p)
		if err != nil {
			return err
		}
		if key != t.Key {
			return fmt.Errorf("%s: study %s or the simulator has changed since the task was submitted", p, s.Name)
		}
	}
	return nil
}
