package programs

import (
	"errors"
	"fmt"

	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/launch"
	"kumiko/kernel/recording"
)

// capturedProgram is a recorded application.
type capturedProgram struct{ *recording.Program }

func (f *Flags) openCaptured(name string) (Program, error) {
	if f.Launch != "" {
		return nil, fmt.Errorf("--launch %s: expected together with a file ending in %s, found the recording %s",
			f.Launch, CodeFiles, name)
	}
	for _, flag := range []string{"size", "registers"} {
		if f.Command.Flags().Changed(flag) {
			return nil, fmt.Errorf("--%s: found together with the recording %s, which has its own", flag, name)
		}
	}
	r, err := recording.Open(name)
	if err != nil {
		return nil, err
	}
	return &capturedProgram{r}, nil
}

func (p *capturedProgram) Expect(err error) []result.Expect {
	if bad, ok := errors.AsType[*host.CheckError](err); ok {
		return []result.Expect{{Buffer: bad.Buffer, Mismatches: bad.Mismatches}}
	}
	return []result.Expect{{Buffer: recording.Checked, OK: true}}
}

func (p *capturedProgram) Compiler() string     { return "" }
func (p *capturedProgram) Modules() []string    { return nil }
func (p *capturedProgram) Saves() []launch.Save { return nil }
func (p *capturedProgram) Save(string) error    { return nil }
