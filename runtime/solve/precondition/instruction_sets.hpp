// Marks a function whose loops are to be compiled for each instruction set; which one runs is decided when the program
// is loaded. For plain loops over arrays: what such a function calls must be inlined into it.
#pragma once

#ifdef __x86_64__
#define PROXIMA_FOR_EACH_INSTRUCTION_SET __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PROXIMA_FOR_EACH_INSTRUCTION_SET
#endif
