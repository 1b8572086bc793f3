package config

import "testing"

func TestTheOrderOfTheSourceLeavesOutTheScheduleAlone(t *testing.T) {
	source, err := Load(Request{GPU: "gtx980", Set: []string{"compiler.schedule=source"}})
	if err != nil {
		t.Fatal(err)
	}
	off, err := Load(Request{GPU: "gtx980", Set: []string{`compiler.off=["schedule"]`}})
	if err != nil {
		t.Fatal(err)
	}
	a, b := source.CompilerOptions(0, 0), off.CompilerOptions(0, 0)
	if a.Off != b.Off || a.Off == 0 || a.Ahead || a.Spare != 0 {
		t.Errorf("options %+v, want those of compiler.off = [\"schedule\"] without loads ahead", a)
	}
}
