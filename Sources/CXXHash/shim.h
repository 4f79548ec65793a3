#pragma once
#include <xxhash.h>

// The plain functions of the library use the vector instructions that every processor of the architecture has. On
// x86-64, the library also has functions for newer instructions and selects them at run time.
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

static inline XXH3_state_t *_Nullable cellophane_xxh3_begin(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state) XXH3_64bits_reset(state);
  return state;
}

static inline void cellophane_xxh3_add(
    XXH3_state_t *_Nonnull state, const void *_Nullable bytes, size_t count) {
  XXH3_64bits_update(state, bytes, count);
}

static inline XXH64_hash_t cellophane_xxh3_end(XXH3_state_t *_Nonnull state) {
  XXH64_hash_t hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return hash;
}

static inline XXH128_hash_t cellophane_xxh3_128(const void *_Nullable bytes, size_t count) {
  return XXH3_128bits(bytes, count);
}
