package app

import (
	"reflect"
	"regexp"
	"runtime/debug"
	"strings"
)

// release is the version of sources without a tag.
const release = "0.1.0-dev"

// tag matches a version in a tag. The go command puts the tag into programs built from a tagged revision. Programs
// of other revisions get a pseudo-version, which contains less than the revision.
var tag = regexp.MustCompile(`^v(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)(?:\+dirty)?$`)

// ModulePath is the path of Kumiko's module.
var ModulePath = strings.TrimSuffix(reflect.TypeFor[App]().PkgPath(), "/cmd/kumiko/internal/cli/app")

// releaseOf returns the version in the tag of the revision from which a program was built. The tag is ignored if
// the main module is not Kumiko: other modules have tags of their own.
func releaseOf(info *debug.BuildInfo) string {
	if m := tag.FindStringSubmatch(info.Main.Version); m != nil && info.Main.Path == ModulePath {
		return m[1]
	}
	return release
}

// Version returns the release and, if known, the revision. An unknown or modified revision does not identify the
// program, so some digits of the program's own hash are appended: studies run points again whose records come from
// another version.
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
