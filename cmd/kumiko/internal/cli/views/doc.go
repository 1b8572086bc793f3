// Package views has the further outputs of a run besides its result: timelines, profiles, traces of messages, the page,
// the results of each launch, the monitor, and recordings. They do not change the result.
package views
