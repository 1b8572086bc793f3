// Package gpus assembles the GPU of a configuration (package config) from its
// blocks, and runs kernels on it.
package gpus
