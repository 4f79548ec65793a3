#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that grow as they are written. All zeros is an empty one; `bytes` is freed with free().
typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
} ByteBuffer;

/// False when memory ran out; the buffer is then as it was.
bool byte_buffer_append(ByteBuffer *buffer, const uint8_t *bytes, size_t count);
