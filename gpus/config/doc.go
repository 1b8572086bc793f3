// Package config has the configurations of GPUs.
//
// A configuration is a Config. It has one section for each package with configurable blocks. The type of a section
// is the package's own Spec. Configurations are read from TOML files, some of them built in. A file may inherit
// from another (`base = "gtx980"`), and single values may be set on top. Reading is strict: an unknown key, a value
// of the wrong type, or a value impossible in hardware is refused with its position.
//
// Package config also derives the implications of a configuration that need no simulation: the number of CTAs per
// SM (Config.Admit), and the compilation of programs for the GPU. Package gpus assembles the machine.
package config
