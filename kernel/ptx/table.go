package ptx

// opcodes has the forms of every opcode. It is filled by init because the builders of calls refer to it.
var opcodes = map[string][]row{}

func init() {
	for _, forms := range packedForms {
		for name, r := range forms {
			words[name] = true
			for _, g := range r.groups {
				for word := range g.vals {
					words[word] = true
				}
			}
		}
	}
	for _, t := range []map[string][]row{arithmetic(), transcendental(), bitwise(), comparison(), memory(), warpwide(),
		control(), video(), policies(), mbarriers(), fences(), surfaces(), matrices()} {
		for name, rows := range t {
			opcodes[name] = append(opcodes[name], rows...)
			for i := range rows {
				for _, g := range rows[i].groups {
					for word := range g.vals {
						words[word] = true
					}
				}
			}
		}
	}
}
