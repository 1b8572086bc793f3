package gpus

// PerturbSeed is the key of the perturbation's number.
const PerturbSeed = "perturb.seed"
