package main

// few says why a kernel's launches have fewer CTAs than three waves at size study.
var few = map[string]string{
	"cfd compute_flux":                "registers: three waves at the most that 65536 registers hold",
	"cfd compute_step_factor":         "as many as compute_flux",
	"cfd time_step":                   "as many as compute_flux",
	"cfd initialize_variables":        "as many as compute_flux",
	"gaussian Fan1":                   "one CTA per column below the diagonal: helper",
	"gramschmidt gramschmidt_kernel1": "a norm by a single thread",
	"gramschmidt gramschmidt_kernel2": "one column: helper",
	"leukocyte IMGVF":                 "one CTA per cell; shared memory allows six per SM",
	"leukocyte dilate":                "one CTA per 176 pixels of the frame that the scores need",
	"lud lud_perimeter":               "the algorithm's: one CTA per block of the panel",
	"lud lud_diagonal":                "the algorithm's: one tile at a time",
	"mergeSort generateSampleRanks":   "one thread per 128 elements: helper",
	"mergeSort mergeRanksAndIndices":  "one thread per 128 elements: helper",
	"mri-q ComputePhiMag":             "one thread per sample: helper",
	"nn executeFirstLayer":            "six maps per image",
	"nn executeThirdLayer":            "one CTA of one thread per neuron and image",
	"nn executeFourthLayer":           "one CTA of one thread per neuron and image",
	"nw needle_1":                     "the algorithm's: tiles of an anti-diagonal",
	"nw needle_2":                     "the algorithm's: tiles of an anti-diagonal",
	"sad mb_sad_calc":                 "576 of 768: a larger frame would take too long",
	"sad larger_sad_calc_8":           "four 4x4 blocks make one: helper",
	"sad larger_sad_calc_16":          "as many macroblocks: helper",
	"sto sha1_overlap":                "shared memory allows six per SM: three waves at twice that and more",
	"tpacf gen_hists":                 "shared memory allows seven per SM: three waves of four SMs",
}
