// Package config has the configurations of GPUs.
//
// A configuration is a Config: one section per package whose blocks it sizes,
// each section being that package's own Spec. It is read from TOML files, of
// which some are built in; a file may inherit from another (`base = "gtx980"`)
// and single values may be set on top. Reading is strict: a key that does not
// exist, a value of the wrong type or one that no hardware could have is refused
// with the place where it stands.
//
// What the values imply without a simulation is here too: how many CTAs an SM
// holds (Config.Admit), and how programs are compiled for the GPU. Package gpus
// assembles the machine.
package config
