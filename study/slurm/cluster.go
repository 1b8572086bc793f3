package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// Cluster is a Slurm cluster as its commands show it.
type Cluster struct {
	// Options are passed to sbatch unchanged, such as --partition=long.
	Options []string
}

// command runs one of Slurm's commands.
func (c *Cluster) command(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("%s: not found; --slurm needs Slurm's commands on this machine", name)
	}
	return "", &commandError{name: name, said: strings.TrimSpace(complaint.String()), err: err}
}

// commandError is the failure of a command with its output.
type commandError struct {
	name, said string
	err        error
}

func (e *commandError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("%s: %v", e.name, e.err)
	}
	return fmt.Sprintf("%s: %s", e.name, e.said)
}

func (e *commandError) Unwrap() error { return e.err }

// usualArray is Slurm's default of MaxArraySize.
const usualArray = 1001

var arraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// largestArray returns the most tasks of a job.
func (c *Cluster) largestArray(ctx context.Context) int {
	text, err := c.command(ctx, "scontrol", "show", "config")
	if m := arraySize.FindStringSubmatch(text); err == nil && m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n > 1 {
			return n - 1
		}
	}
	return usualArray - 1
}

// queue submits an array job of count tasks. Its script gets first as its
// argument.
func (c *Cluster) queue(ctx context.Context, name, script, logs string, first, count int) (Job, error) {
	args := []string{"--parsable", fmt.Sprintf("--array=0-%d", count-1), "--job-name=" + name, "--requeue",
		"--open-mode=append",
		"--output=" + logs + "/%A_%a.log", "--nodes=1", "--ntasks=1", "--cpus-per-task=1"}
	args = append(append(args, c.Options...), script, strconv.Itoa(first))
	text, err := c.command(ctx, "sbatch", args...)
	if err != nil {
		return Job{}, err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(text), ";")
	if _, err := strconv.Atoi(id); err != nil {
		return Job{}, fmt.Errorf("sbatch: found %q, expected the number of a job", strings.TrimSpace(text))
	}
	return Job{ID: id, First: first, Count: count}, nil
}

// live reports whether a job has running or waiting tasks.
func (c *Cluster) live(ctx context.Context, j Job) (bool, error) {
	text, err := c.command(ctx, "squeue", "--noheader", "--array", "--jobs="+j.ID, "--format=%T")
	if ce, ok := errors.AsType[*commandError](err); ok && strings.Contains(ce.said, "Invalid job id") {
		return false, nil // forgotten by Slurm because of its age
	}
	return strings.TrimSpace(text) != "", err
}
