// Package views has the further outputs of a run besides its result: timelines, profiles, traces of messages, the page,
// the results of each launch, the monitor, and recordings. They leave the result as it is, except that a profile adds
// its operand waits.
package views
