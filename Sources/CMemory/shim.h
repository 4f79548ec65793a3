// What the C library's allocator can be told.
#pragma once
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Has all threads share so many heaps; false where the allocator is another one, and has its own way.
static inline _Bool cellophane_memory_share_heaps(int count) {
#if defined(__GLIBC__)
  return mallopt(M_ARENA_MAX, count) == 1;
#else
  return count < 0;
#endif
}
