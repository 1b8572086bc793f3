// Package infile opens and reads the files that a user names as input. It
// refuses what is no regular file, such as a device, a named pipe or a folder,
// before it is opened: a pipe would block, and a device may never end. It also
// bounds what is read whole, and says what a file seems to be that is no text.
package infile
