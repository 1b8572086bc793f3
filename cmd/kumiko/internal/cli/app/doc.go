// Package app is what the commands of Kumiko share: the program's App with its streams and exit statuses, the root
// command, flags and the errors about them, files written as a whole or not at all, tables, and progress.
package app
