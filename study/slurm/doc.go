// Package slurm executes the points of a study on a Slurm cluster: an array job
// with a task for each simulation, whose folder all nodes share.
//
// A batch is what was submitted at once: a manifest with the tasks, written
// before anything is queued, and the jobs. A task reads its line of the manifest,
// simulates, and leaves its record in the folder of the cluster's records, whole
// or not at all. So a task that is requeued, or that runs twice, does no harm:
// it finds its record there, or writes the same one. The study's store takes the
// records over from there; nobody but the process that waits writes to it.
//
// What is here calls sbatch, squeue and scontrol, and needs no other part of
// Slurm; accounting in particular.
package slurm
