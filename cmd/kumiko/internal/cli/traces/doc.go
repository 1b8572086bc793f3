// Package traces is kumiko traces: what Accel-Sim refuses in traces.
package traces
