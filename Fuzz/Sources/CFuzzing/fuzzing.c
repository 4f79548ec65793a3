#include "CFuzzing.h"

#include <signal.h>
#include <string.h>
#include <zlib.h>

// libFuzzer treats every section with this name like its own branch counters.
__attribute__((section("__libfuzzer_extra_counters"), used)) static uint8_t counters[4096];

void fuzzing_note(uint32_t feature) {
    counters[feature % sizeof counters] = 1;
}

extern int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                                     void (*on_free)(const volatile void *));

static uint8_t filling;

// The system provides larger blocks, and calloc assumes that these are zero. calloc clears smaller blocks after this
// hook has filled them.
static const size_t largest_filled = 64 << 10;

static void on_malloc(const volatile void *block, size_t size) {
    if (size <= largest_filled) memset((void *)block, filling, size);
}

static void on_free(const volatile void *block) {
    (void)block;
}

void fuzzing_fill_memory(uint8_t byte) {
    static int installed;
    if (!installed) installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    filling = byte;
}

void fuzzing_take_signals(void) {
    static const int signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) signal(signals[index], SIG_DFL);
}

uint32_t fuzzing_crc32(const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32_z(0, bytes, count);
}

size_t fuzzing_inflate(const uint8_t *bytes, size_t count, uint8_t *destination, size_t capacity) {
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = destination,
                       .avail_out = (uInt)capacity};
    if (inflateInit(&stream) != Z_OK) return 0;
    inflate(&stream, Z_FINISH);
    size_t inflated = stream.total_out;
    inflateEnd(&stream);
    return inflated;
}

const char *fuzzing_inflate_complaint(const uint8_t *bytes, size_t count) {
    uint8_t destination[4096];
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count};
    if (inflateInit(&stream) != Z_OK) return NULL;
    int result = Z_OK;
    while (result == Z_OK) {
        stream.next_out = destination;
        stream.avail_out = sizeof destination;
        result = inflate(&stream, Z_NO_FLUSH);
    }
    // The messages are constants in zlib, so the pointer stays valid.
    const char *complaint = stream.msg;
    inflateEnd(&stream);
    return complaint;
}

size_t fuzzing_deflate(const uint8_t *bytes, size_t count, uint8_t *destination, size_t capacity, int level) {
    uLongf deflated = capacity;
    return compress2(destination, &deflated, bytes, count, level) == Z_OK ? deflated : 0;
}
