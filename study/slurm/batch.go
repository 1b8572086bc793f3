package slurm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"kumiko/internal/infile"
	"kumiko/study"
	"kumiko/study/pool"
	"kumiko/study/record"
)

// Batch is one submission of tasks.
type Batch struct {
	Study string `json:"study"` // name or absolute path
	Size  string `json:"size"`  // of every benchmark; empty: as the study says
	// Captures is the folder of the study's recordings; empty: that of its file.
	Captures string  `json:"captures,omitempty"`
	Version  string  `json:"version"` // of the simulator executing the batch
	Check    bool    `json:"check"`
	Waves    float64 `json:"waves"`   // required by the study
	Records  string  `json:"records"` // folder
	Tasks    []Task  `json:"tasks"`

	file string
	jobs []Job
}

// Task is one simulation and the points of which it is the result.
type Task struct {
	Key    string         `json:"key"`
	Points []record.Point `json:"points"`
	Check  bool           `json:"check,omitempty"` // also where the batch is not checked
}

// Job is an array job of consecutive tasks of a batch.
type Job struct {
	ID    string `json:"id"`
	First int    `json:"first"`
	Count int    `json:"count"`
}

// tasksOf lists the simulations of points, in their order.
func tasksOf(points []record.Point, keys *study.Keys) ([]Task, error) {
	var out []Task
	at := map[string]int{}
	for i := range points {
		key, err := keys.Key(&points[i])
		if err != nil {
			return nil, err
		}
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key] = k
			out = append(out, Task{Key: key})
		}
		out[k].Points = append(out[k].Points, points[i])
	}
	return out, nil
}

// choose selects the tasks to check.
func (b *Batch) choose(firsts *pool.Firsts) {
	for i, check := range firsts.Choose(len(b.Tasks), func(i int) (string, []record.Point) {
		return b.Tasks[i].Key, b.Tasks[i].Points
	}) {
		b.Tasks[i].Check = check
	}
}

// read reads a manifest.
func read(file string) (*Batch, error) {
	b := &Batch{file: file}
	data, err := infile.Read(file)
	if err == nil {
		err = json.Unmarshal(data, b)
	}
	if err != nil {
		return nil, fmt.Errorf("tasks %s: %w", file, err)
	}
	return b, nil
}

// save writes the manifest under the first free number.
func (b *Batch) save(dir string) error {
	for n := 1; ; n++ {
		b.file = filepath.Join(dir, fmt.Sprintf("batch-%04d.json", n))
		if _, err := os.Stat(b.file); errors.Is(err, fs.ErrNotExist) {
			return writeWhole(b.file, b)
		}
	}
}

// jobsFile returns the path of the list of a batch's jobs.
func (b *Batch) jobsFile() string { return b.file + ".jobs" }

// submitted notes a job.
func (b *Batch) submitted(j Job) error {
	b.jobs = append(b.jobs, j)
	return writeWhole(b.jobsFile(), b.jobs)
}

// batches reads the batches of a folder, with their jobs.
func batches(dir string) ([]*Batch, error) {
	files, err := filepath.Glob(filepath.Join(dir, "batch-*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var out []*Batch
	for _, f := range files {
		b, err := read(f)
		if err != nil {
			return nil, err
		}
		data, err := infile.Read(b.jobsFile())
		if errors.Is(err, fs.ErrNotExist) {
			continue // submitting it was cut short
		}
		if err == nil {
			err = json.Unmarshal(data, &b.jobs)
		}
		if err != nil {
			return nil, fmt.Errorf("jobs %s: %w", b.jobsFile(), err)
		}
		out = append(out, b)
	}
	return out, nil
}

// drop removes a finished batch.
func (b *Batch) drop() {
	_ = os.Remove(b.jobsFile()) // a file left behind costs one query of the queue
	_ = os.Remove(b.file)
}

// writeWhole writes a file of JSON completely or not at all.
func writeWhole(file string, v any) error {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".writing-*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
