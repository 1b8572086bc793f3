package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/study"
	"kumiko/study/pool"
)

// runShard executes a part of the points, beside other processes with the other parts.
func runShard(ctx context.Context, a *app.App, f *studyRunFlags, ch *chosen) error {
	show := newStudyProgress(a.Stderr)
	p := &pool.Pool{Spec: ch.spec, Store: ch.store, Version: a.Version, Workers: f.workers, Check: f.check,
		CheckFirst: true, All: ch.points, Keep: f.keep, New: a.ForStudies, Report: show.report}
	out, err := p.Run(ctx, f.shard.Of(ch.points))
	show.clear()
	if err != nil {
		return err
	}
	counts(a, ch, ", shard "+f.shard.String(), out)
	return runStatus(out, a.Version)
}

func studyPoints(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "points STUDY",
		Short: "List the points of a study with the commands that run them",
		Long: `List the points of a study, a line each: the command of a shell that runs the point, and the point's name behind a #.

The lines are for whatever runs commands on many machines, such as GNU parallel. They may run in any order, side by side, and
again: a point with a record is not run again. Every machine must see this program, the study's file and the folder of the records.`,
		Example: `  kumiko study points quick --dir /shared/quick | parallel --sshlogin node1,node2
  kumiko study points quick | grep hotspot | sh`,
		Args: app.Exactly("STUDY"),
	}
	var f studyFlags
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		ch, err := f.chooseReadOnly(a, args[0])
		if err != nil {
			return err
		}
		command, err := f.again(args[0], ch)
		if err != nil {
			return err
		}
		for i := range ch.points {
			shard := study.Shard{I: i, N: len(ch.points)}
			fmt.Fprintf(a.Text(), "%s --shard %s # %s\n", command, &shard, &ch.points[i])
		}
		return nil
	}
	return c
}

// again returns a command that runs the selected points from any folder.
func (f *studyFlags) again(name string, ch *chosen) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(ch.store.Dir())
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(name, ".toml") {
		if name, err = filepath.Abs(name); err != nil {
			return "", err
		}
	}
	words := []string{program, "study", "run", name, "--dir", dir}
	if f.captures != "" {
		folder, err := filepath.Abs(f.captures)
		if err != nil {
			return "", err
		}
		words = append(words, "--captures", folder)
	}
	for _, flag := range []string{"size", "perturb", "waves"} {
		if f.command.Flags().Changed(flag) {
			words = append(words, "--"+flag, f.command.Flag(flag).Value.String())
		}
	}
	for _, p := range f.only {
		words = append(words, "--only", p)
	}
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " "), nil
}

// shellWord quotes a word for a POSIX shell where needed.
func shellWord(w string) string {
	const others = "/._-+,:=@%"
	special := func(r rune) bool {
		return r > '~' || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(others, r)
	}
	if w != "" && !strings.ContainsFunc(w, special) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
