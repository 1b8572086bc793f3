package app

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/gpus/energy"
	"kumiko/study"
)

// completed makes a command and its sub-commands complete their arguments and flags in a shell, each by the word
// in its usage line or by its name.
func completed(c *cobra.Command) {
	for _, word := range strings.Fields(c.Use)[1:] {
		if complete := argumentWords[strings.Trim(word, "[]")]; complete != nil && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = complete
		}
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		complete := flagWords[f.Name]
		if complete == nil && (f.Value.Type() != "string" || plainText[f.Name]) {
			complete = cobra.NoFileCompletions
		}
		if complete != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, complete) // it fails for a flag with completion alone
		}
	})
	for _, s := range c.Commands() {
		completed(s)
	}
}

// argumentWords completes arguments by their names in usage lines.
var argumentWords = map[string]cobra.CompletionFunc{
	"PROGRAM": once(programWords), "NAME...": programWords, "STUDY": once(studyWords),
	"PART": once(partWords), "DIR": once(folderWords),
	"FILE.cu": once(filesEnding("cu")), "FILE.ptx|FILE.cu": once(filesEnding("ptx", "cu")),
}

// flagWords completes flags by their names, the same in all commands.
var flagWords = map[string]cobra.CompletionFunc{
	"gpu": gpuWords, "compare": gpuWords, "design": designWords, "set": settingWords, "size": sizeWords,
	"energy": energyWords, "like": studyWords, "program": filesEnding("ptx"), "only": onlyWords,
	"kernel": kernelWords, "launch": filesEnding("toml"),
	"registers": cobra.FixedCompletions([]string{"natural", "paper"}, cobra.ShellCompDirectiveNoFileComp),
	"dir":       folderWords, "slurm-dir": folderWords, "checkpoint": folderWords, "resume": folderWords,
	"record": folderWords, "out": folderWords, "include": folderWords,
}

// plainText are flags with a text that names no file.
var plainText = map[string]bool{"window": true, "monitor": true, "sample-error": true, "module": true,
	"shard": true, "arch": true}

// once completes the first argument alone.
func once(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(c, args, word)
	}
}

// filesEnding completes the names of files with one of several extensions.
func filesEnding(extensions ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

func folderWords(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// beside lists names, each with its line of documentation. If no name fits, the shell completes the names of files.
func beside(words []string) ([]string, cobra.ShellCompDirective) {
	return words, cobra.ShellCompDirectiveDefault
}

func programWords(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, b := range benchmarks.List() {
		out = append(out, cobra.CompletionWithDesc(b.Name, b.Summary))
	}
	return beside(out)
}

func studyWords(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return beside(study.Names())
}

func energyWords(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return beside(energy.Names())
}

func gpuWords(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, n := range config.Names() {
		doc := ""
		if c, err := config.Load(config.Request{GPU: n}); err == nil {
			doc = c.Doc
		}
		out = append(out, cobra.CompletionWithDesc(n, doc))
	}
	return beside(out)
}

// designWords completes the last of several designs joined by "+".
func designWords(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, "+")+1]
	list, err := config.Designs()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, d := range list {
		out = append(out, cobra.CompletionWithDesc(before+d.Name, d.Doc))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// settingWords completes the keys of the chosen machine and, after "=", their values where they are a few words.
func settingWords(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	r := requested(c)
	cfg, err := config.Load(r)
	if err != nil {
		if cfg, err = config.Load(config.Request{GPU: r.GPU}); err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		r = config.Request{GPU: r.GPU}
	}
	key, _, valued := strings.Cut(word, "=")
	var out []string
	for _, p := range cfg.Params() {
		switch {
		case !valued && p.Where != "":
			doc, _, _ := strings.Cut(p.Doc, ". ")
			out = append(out, cobra.CompletionWithDesc(p.Key+"=", fmt.Sprintf("%s (%v)", doc, p.Value)))
		case valued && p.Key == key && p.Type == "boolean":
			return []string{key + "=true", key + "=false"}, cobra.ShellCompDirectiveNoFileComp
		}
	}
	if !valued {
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	for _, v := range config.Choices(r, key) {
		out = append(out, key+"="+v)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// requested returns the machine chosen by the flags before the completed word.
func requested(c *cobra.Command) config.Request {
	text := func(name string) string {
		if f := c.Flag(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	set, _ := c.Flags().GetStringArray("set") // an error stands for a command without the flag
	return config.Request{GPU: text("gpu"), Design: text("design"), Set: set}
}

func sizeWords(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for s := benchmarks.Test; s <= benchmarks.Paper; s++ {
		out = append(out, s.String())
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// onlyWords completes the variants, benchmarks and groups of the study.
func onlyWords(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	s, err := study.Load(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return s.Selectable(s.Points(0)), cobra.ShellCompDirectiveNoFileComp
}

// kernelWords completes the kernels of a built-in program.
func kernelWords(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if len(args) > 0 {
		if b := benchmarks.Find(args[0]); b != nil {
			for i := range b.Kernels {
				out = append(out, b.Kernels[i].Name)
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// partWords completes the argument of a command that lists names with a part of a name: for params, the keys of
// settings.
func partWords(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	if c.Name() != "params" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	keys, directive := settingWords(c, nil, strings.ReplaceAll(word, "=", ""))
	for i := range keys {
		keys[i] = strings.Replace(keys[i], "=\t", "\t", 1)
	}
	return keys, directive
}
