package main

// reasons gives, for each kernel, the reason why its residency is not limited as in a paper, with the allocator's
// footprint.
var reasons = map[string]string{
	"finereg atax atax_kernel2": "a 65536-register SM with 2048 threads is short of registers above 32 per thread, " +
		"and a product of a " +
		"row and a vector has no use for them; FineReg prints no footprint (its compiler unrolled the loop, " +
		"presumably)",
	"finereg hotspot hotspot": "the code needs 25 registers, the printed 36 limit",
	"finereg sradv2 srad_cuda_1": "16 registers and 6 KB are for eight CTAs of 256 threads what 2048 threads " +
		"are; limits would take more than 32 registers or 12 KB",
	"finereg transpose transpose": "a transposition through a padded tile has no use for more than a dozen " +
		"registers; 4224 bytes per 256 threads do not limit 96 KB",
	"ltrf lavaMD lavamd": "the class is inferred from a talk; the shared memory that Register Sharing's class " +
		"needs allows seven CTAs in 64 KB, registers ten",
	"ltrf leukocyte IMGVF": "the class is inferred from a talk and speaks of the whole application; the image that " +
		"the published kernel keeps in 14.6 KB of " +
		"shared memory allows four CTAs in 64 KB, before 36 registers do",
	"ltrf nn executeSecondLayer": "the class is inferred from a talk and may be another program's of that name; a " +
		"CTA here has 25 threads",
	"ltrf sto sha1_overlap": "the class is inferred from a talk; the 16 KB of shared memory that Register Sharing " +
		"implies allow four CTAs in 64 KB",
}

// few gives the reason why a kernel's launches have fewer CTAs than three waves at size study.
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
