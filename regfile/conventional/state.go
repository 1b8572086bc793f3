package conventional

import "kumiko/regfile"

// State returns the storage of the banks: as many registers as the SM has, not one for each entry (register name).
func (f *File) State() []regfile.State {
	banks, bits := 0, 0
	for _, c := range f.subs {
		for _, b := range c.banks {
			s := b.Spec()
			banks += s.Slices
			bits += s.Bits()
		}
	}
	return []regfile.State{{Block: "Bank", What: "registers", Count: banks, Bits: bits, Ports: f.bankPorts}}
}
