#pragma once
#include <xxhash.h>

// What the library exports under the plain names uses the vectors that every processor of its kind has; on x86-64 it
// has better ones beside them, chosen when the program runs.
#if defined(__x86_64__)
#include <xxh_x86dispatch.h>
#endif

static inline XXH64_hash_t cellophane_xxh3_64(const void *_Nullable bytes, size_t count) {
  return XXH3_64bits(bytes, count);
}

static inline XXH64_hash_t cellophane_xxh3_64_seeded(
    const void *_Nullable bytes, size_t count, XXH64_hash_t seed) {
  return XXH3_64bits_withSeed(bytes, count, seed);
}

static inline XXH128_hash_t cellophane_xxh3_128(const void *_Nullable bytes, size_t count) {
  return XXH3_128bits(bytes, count);
}
