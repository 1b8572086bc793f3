// Package cudart runs CUDA applications: programs whose host part is compiled and runs on this machine, with the GPU
// simulated or emulated by Kumiko.
//
// The folder runtime is a library in C that a program is linked with. It implements the functions of the CUDA runtime,
// and sends what needs a GPU over a socket (runtime/protocol.h). The device's memory is a file in memory that both
// processes map. The program sees it at the device's addresses, so a copy between host and device is a memcpy there.
// A Session is the other end: it has the modules, textures and launches. The folder include has the headers for the
// host's part of a program.
//
// If one of the two processes ends, the other one does: the program watches its socket in a thread, and Kumiko cancels
// a launch at the end of the connection.
package cudart
