package stream

// OpenSource provides the streams of a launch and can be closed before its end.
type OpenSource interface {
	Source
	Close()
}
