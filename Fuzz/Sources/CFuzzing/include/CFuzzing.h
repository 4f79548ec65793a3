#pragma once

#include <stddef.h>
#include <stdint.h>

// What the fuzzer needs of C: libFuzzer's own interface, a memory that is filled on purpose, and zlib.

/// Runs libFuzzer with its usual arguments; `run` is called with each input and returns 0, or -1 for an input
/// that shall not be kept.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
/// libFuzzer's own mutations, in place.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/// Tells libFuzzer that something new was seen, as it sees new branches: so that what happens inside libpng and
/// libjpeg, which are not instrumented, counts too. `feature` is what was seen, as a hash.
void fuzzing_note(uint32_t feature);

/// From now on what malloc gives is filled with `byte`, so that whoever reads it before writing gets another
/// result with another byte.
void fuzzing_fill_memory(uint8_t byte);

/// Gives the signals that the Swift runtime reports by itself back to libFuzzer, which writes the input down.
void fuzzing_take_signals(void);

uint32_t fuzzing_crc32(const uint8_t *bytes, size_t count);
/// Inflates what there is; the number of bytes.
size_t fuzzing_inflate(const uint8_t *bytes, size_t count, uint8_t *destination, size_t capacity);
/// What zlib finds wrong with deflated bytes; NULL when nothing is.
const char *fuzzing_inflate_complaint(const uint8_t *bytes, size_t count);
/// Deflates; the number of bytes, or 0 when `capacity` is too little. `level` is zlib's, 0...9.
size_t fuzzing_deflate(const uint8_t *bytes, size_t count, uint8_t *destination, size_t capacity, int level);
