// Package validation compares the timing model with GPGPU-Sim 4.2.0 on small
// kernels: the same PTX, the same launches, on the two compatibility GPUs
// gpgpusim-gtx480 and gpgpusim-gtx980. It is a cross-check of two models, not a
// calibration: where they differ, lab/docs/validation/peers.md names the difference.
//
// The kernels in testdata are the project's own; reduce.cu, hotspot.cu and so
// on were compiled to PTX with clang. GPGPU-Sim's figures are read from a folder
// (results.json, sensitivity.json) and are not part of this package.
//
// GPGPU-Sim executes PTX as it is written, so the compiler's optimisations are
// switched off here (Plain); registers are allocated all the same.
package validation
