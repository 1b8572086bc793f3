package cli

import (
	"fmt"
	"regexp"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of sources that no tag names.
const release = "0.1.0-dev"

// tag is a version in a tag, which the go command puts into programs built from a tagged
// revision. Others get a pseudo-version, which says less than the revision.
var tag = regexp.MustCompile(`^v(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)(?:\+dirty)?$`)

// releaseOf is the version in the tag of the revision that a program was built from. The program
// may be that of another module, which has tags of its own.
func releaseOf(info *debug.BuildInfo) string {
	if m := tag.FindStringSubmatch(info.Main.Version); m != nil && info.Main.Path == "kumiko" {
		return m[1]
	}
	return release
}

// Version is the release and, where the build knows it, the revision. A revision
// that is not known, or modified, stands for many programs; some letters of the
// program's own hash then tell them apart. Studies execute again what another
// version has recorded.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	revision, modified := "", false
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = "+" + s.Value[:12]
		case s.Key == "vcs.modified":
			modified = s.Value == "true"
		}
	}
	out := releaseOf(info) + revision
	if modified {
		out += ".modified"
	}
	if b := build(); b != "" && (modified || revision == "") {
		out += "." + b
	}
	return out
}

func (a *App) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.text(), "kumiko", a.Version)
			return err
		},
	}
}
