#pragma once

#include <stddef.h>
#include <stdint.h>

// The C functions of the fuzzer: libFuzzer's interface, filling of fresh memory, and zlib.

/// Runs libFuzzer with its usual arguments. It calls `run` with each input. `run` returns 0, or -1 to keep the input
/// out of the corpus.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
/// Applies libFuzzer's own mutations in place.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/// Reports a feature to libFuzzer as coverage, like a branch. libpng and libjpeg are not instrumented, so their
/// behavior is reported through this function. `feature` is a hash of the observation.
void fuzzing_note(uint32_t feature);

/// Fills all memory that malloc returns from now on with `byte`. Code that reads memory before it writes there gives
/// different results for different bytes.
void fuzzing_fill_memory(uint8_t byte);

/// Resets the signals that the Swift runtime handles, so that libFuzzer handles them and saves the input.
void fuzzing_take_signals(void);

/// Returns the CRC-32 of a PNG chunk.
uint32_t fuzzing_crc32(const uint8_t *bytes, size_t count);
/// Inflates the bytes, as far as they are valid and fit. Returns the number of inflated bytes.
size_t fuzzing_inflate(const uint8_t *bytes, size_t count, uint8_t *destination, size_t capacity);
/// Returns zlib's error message for deflated bytes, or NULL if they are valid.
const char *fuzzing_inflate_complaint(const uint8_t *bytes, size_t count);
/// Deflates the bytes with a level of zlib, 0...9. Returns the number of bytes, or 0 if `capacity` is too small.
size_t fuzzing_deflate(const uint8_t *bytes, size_t count, uint8_t *destination, size_t capacity, int level);
