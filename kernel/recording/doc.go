// Package recording is the file of a recorded CUDA application: its modules of PTX, its memory, its textures and its
// launches, with the data that the host wrote between them. A Writer makes a file while the application runs on an
// emulated GPU. A Program is the file as a host program: the same launches with the same input, on any machine,
// without the application. After each launch it compares the memory that the launch changed with the recording's.
//
// A file begins with Magic. Behind it is a stream of events (encoding/gob, compressed by zstd, with a checksum at the
// end). Open reads the file to its end, so a damaged file is refused before anything runs.
package recording
