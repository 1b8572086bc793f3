package run

import (
	"fmt"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus/measure"
	"kumiko/kernel/launch"
	"kumiko/kernel/recording"
)

// warn warns of launches with too few CTAs, on the terminal and on the page. For a built-in program the page also names
// the size, because a larger one is the remedy.
func (f *runFlags) warn(a *app.App, fills []measure.Fill, program string) {
	page := &f.views.HTML
	if f.app == nil && !programs.IsCode(program) && !programs.IsTraces(program) && !recording.Is(program) {
		page.Size = f.program.Size
	}
	if text := fillText(fills, program, f); text != "" {
		fmt.Fprintln(a.Notes(), "warning:", text)
		page.Warnings = append(page.Warnings, text)
	}
}

// fillText says in one line that launches have too few CTAs for the machine, and names a remedy; empty: they have
// enough.
func fillText(fills []measure.Fill, program string, f *runFlags) string {
	worst, short := shortOf(fills, measure.EnoughWaves)
	all := 0
	for i := range fills {
		all += fills[i].Launches
	}
	if worst == nil {
		return ""
	}
	shown := *worst
	shown.Kernel = launch.Shown(worst.Kernel)
	some := fmt.Sprintf("%d of %d launches have", short, all)
	switch {
	case all == 1:
		some = "the launch has"
	case short == 1:
		some = fmt.Sprintf("1 of %d launches has", all)
	}
	longest := ""
	if short > 1 {
		longest = "the longest is "
	}
	return fmt.Sprintf("%s fewer than %d full waves of CTAs (%s%s, %.2g waves), so that cycles and IPC are those of a "+
		"machine that is partly empty; set %s", some, measure.EnoughWaves, longest, &shown, worst.Waves(),
		remedy(worst, program, f))
}

// shortOf counts the launches with fewer waves than given. It returns the longest of them in cycles; nil: there is
// none.
func shortOf(fills []measure.Fill, waves float64) (worst *measure.Fill, n int) {
	for i := range fills {
		w := &fills[i]
		if w.Waves() >= waves {
			continue
		}
		n += w.Launches
		if worst == nil || w.Cycles > worst.Cycles {
			worst = w
		}
	}
	return worst, n
}

// remedy names the setting needed to give a launch enough waves.
func remedy(w *measure.Fill, program string, f *runFlags) string {
	larger := "a larger --size"
	switch {
	case f.app != nil, recording.Is(program):
		larger = "a larger input of the application"
	case programs.IsCode(program):
		larger = "a larger grid in the launch file"
	case programs.IsTraces(program):
		larger = "traces of a larger grid"
	case f.program.Size == "paper":
		larger = ""
	}
	fewer := ""
	if n := w.MostSMs(measure.EnoughWaves); n > 0 {
		fewer = fmt.Sprintf("--set slice.sms=%d", n)
	}
	switch {
	case fewer == "" && larger == "":
		return "a design or GPU that holds fewer CTAs"
	case fewer == "" || larger == "":
		return larger + fewer
	}
	return larger + " or " + fewer
}
