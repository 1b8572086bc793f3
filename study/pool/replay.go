package pool

import (
	"context"
	"encoding/json"
	"errors"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/kernel/sass"
	"kumiko/kernel/stream"
	"kumiko/study"
	"kumiko/study/streams"
)

// replay runs the launches on a machine.
func replay(ctx context.Context, r *study.Traced, m Machine) error {
	player, ok := m.(interface{ Replay(*gpus.Replay) error })
	if !ok {
		return errors.New("the machine runs no traces")
	}
	err := r.Each(ctx, func(l *sass.Launch) error {
		return player.Replay(&gpus.Replay{Kernel: l.Kernel, Grid: l.Grid, Block: l.Block, SharedBytes: l.SharedBytes,
			Wordless: true, Open: func() (stream.OpenSource, error) { return l.Source(traceAhead), nil },
			Queue: r.Queue(l)})
	})
	if err != nil {
		return err
	}
	return m.Sync()
}

// workOf returns the warp instructions of each launch.
func workOf(ctx context.Context, r *study.Traced) ([]uint64, error) {
	var out []uint64
	err := r.Each(ctx, func(l *sass.Launch) error {
		src := l.Source(traceAhead)
		defer src.Close()
		var n uint64
		for c := src.Next(); c != nil; c = src.Next() {
			insts, _ := c.Instructions()
			n += insts
		}
		out = append(out, n)
		return src.Err()
	})
	return out, err
}

// streamOfTraces measures the access streams of the launches.
func streamOfTraces(ctx context.Context, r *study.Traced, cfg *config.Config) (json.RawMessage, error) {
	all := streams.NewCollector(streams.OptionsFor(cfg))
	err := r.Each(ctx, func(l *sass.Launch) error {
		src := l.Source(traceAhead)
		defer src.Close()
		return all.Collect(src)
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(all.Summary())
}

// traceAhead is the number of thread blocks of a trace read ahead. It changes no result.
const traceAhead = 8
