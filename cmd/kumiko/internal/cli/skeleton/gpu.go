package skeleton

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/gpgpusim"
	"kumiko/gpus"
	"kumiko/gpus/config"
)

func newGPUCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "gpu GPGPUSIM.config [TRACE.config]",
		Short: "Write a GPU file of a configuration of GPGPU-Sim or Accel-Sim",
		Long: `Write a GPU file of a configuration of GPGPU-Sim, or of Accel-Sim with its trace.config.

Each line of the file names the option that it is from. The end of the file lists the options that are left out, with what
that changes, and those that are not known.`,
		Example: `  kumiko new gpu SM7_QV100/gpgpusim.config -o qv100.toml
  kumiko new gpu SM7_QV100/gpgpusim.config SM7_QV100/trace.config -o qv100.toml
  kumiko run hotspot --gpu qv100.toml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return app.Exactly("GPGPUSIM.config")(c, args)
		},
	}
	var file string
	c.Flags().StringVarP(&file, "output", "o", "", "the file to write; without it, FILE.toml in the present folder")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := app.Nameless(c, "output"); err != nil {
			return err
		}
		if file == "" {
			file = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])) + ".toml"
		}
		return newGPU(a, args, file)
	}
	return c
}

// newGPU writes a GPU file of configurations. The file is not written if the GPU cannot be used.
func newGPU(a *app.App, configurations []string, file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s: a file is there already", file)
	}
	var options [2][]gpgpusim.Option
	var names []string
	for i, name := range configurations {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if options[i], err = gpgpusim.Parse(name, data); err != nil {
			return err
		}
		names = append(names, filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name))
	}
	g, err := gpgpusim.Convert(options[0], options[1])
	if err != nil {
		return err
	}
	text := g.Text(names...)
	if err := tryGPU(a, text); err != nil {
		return fmt.Errorf("%s: the GPU cannot be used: %w", configurations[0], err)
	}
	if err := app.WriteBytes(file, []byte(text)); err != nil {
		return err
	}
	settings, left, unknown := g.Counts()
	_, err = fmt.Fprintf(
		a.Text(),
		"%s: %d settings; %d options left out, %d not known: see the end of the file\n",
		file,
		settings,
		left,
		unknown,
	)
	return err
}

// tryGPU loads a GPU file, and assembles the GPU.
func tryGPU(a *app.App, text string) error {
	dir, err := os.MkdirTemp("", "kumiko")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "gpu.toml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return err
	}
	cfg, err := config.Load(config.Request{GPU: name})
	if err == nil && a.New != nil {
		_, err = a.New(cfg, gpus.Options{})
	}
	if err != nil {
		return errors.New(withLines(strings.ReplaceAll(err.Error(), name+":", ""), text))
	}
	return nil
}

var placed = regexp.MustCompile(`(?m)^(\d+):\d+: (.*)$`)

// withLines replaces line numbers in an error by the text of the lines, because the user has no such file: the text
// names the option at fault.
func withLines(err, text string) string {
	lines := strings.Split(text, "\n")
	return placed.ReplaceAllStringFunc(err, func(found string) string {
		m := placed.FindStringSubmatch(found)
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > len(lines) {
			return m[2]
		}
		return fmt.Sprintf("%s; from the line %q", m[2], strings.Join(strings.Fields(lines[n-1]), " "))
	})
}
