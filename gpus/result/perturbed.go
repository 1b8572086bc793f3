package result

// Perturbed holds further runs of a program under perturbations of conditions determined neither by the program nor
// by the design (section perturb of a GPU's parameters).
type Perturbed struct {
	Cycles []uint64  `json:"cycles"` // of perturbation 1, 2, ...
	IPC    []float64 `json:"ipc"`
	// The intervals extend from the minimum to the maximum, including the plain run.
	CyclesInterval [2]uint64  `json:"cycles_interval"`
	IPCInterval    [2]float64 `json:"ipc_interval"`
	// Underfilled is the number of launches with less than one full wave of CTAs. In such a launch an SM with an
	// early start receives CTAs of other SMs in the plain run, so the intervals include more than variations in
	// time.
	Underfilled int `json:"underfilled_launches"`
}

// Perturb adds the run of one more perturbation to a plain run.
func (r *Result) Perturb(t *Total) {
	if r.Perturbed == nil {
		r.Perturbed = &Perturbed{CyclesInterval: [2]uint64{r.Total.Cycles, r.Total.Cycles},
			IPCInterval: [2]float64{r.Total.IPC, r.Total.IPC}}
	}
	p := r.Perturbed
	p.Cycles, p.IPC = append(p.Cycles, t.Cycles), append(p.IPC, t.IPC)
	p.CyclesInterval = [2]uint64{min(p.CyclesInterval[0], t.Cycles), max(p.CyclesInterval[1], t.Cycles)}
	p.IPCInterval = [2]float64{min(p.IPCInterval[0], t.IPC), max(p.IPCInterval[1], t.IPC)}
}
