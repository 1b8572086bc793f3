// Package cudart runs CUDA applications: programs whose host part is compiled and runs on this machine, with the GPU
// simulated or emulated by Kumiko.
//
// The folder runtime is a library in C, linked with a program. It implements the functions of the CUDA runtime,
// and sends calls for the GPU over a socket (runtime/protocol.h). The device's memory is a file in memory, mapped by
// both processes. The program sees it at the device's addresses, so a copy between host and device is a memcpy there.
// A Session is the other end: it has the modules, textures and launches. The folder include has the headers for the
// host's part of a program.
//
// If one of the two processes ends, the other one does: the program watches its socket in a thread, and Kumiko cancels
// a launch at the end of the connection.
package cudart
