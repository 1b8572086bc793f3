// Package infile opens and reads input files named by a user. Before opening, it refuses everything but regular
// files, such as a device, a named pipe or a folder: a pipe would block, and a device may never end. It also limits
// the size of files read as a whole, and identifies files that are not text.
package infile
