// Package slurm executes the points of a study on a Slurm cluster: an array job
// with a task for each simulation. All nodes share its folder.
//
// A batch is one submission: a manifest with the tasks, written before anything is queued, and the jobs. A task
// reads its line of the manifest, simulates, and leaves its record in the folder of the cluster's records,
// whole or not at all. So a task requeued or run twice does no harm: it finds its record there, or writes the
// same one. The study's store takes the records over from there. Only the waiting process writes to the store.
//
// The package calls sbatch, squeue and scontrol, and needs no other part of
// Slurm, in particular no accounting.
package slurm
