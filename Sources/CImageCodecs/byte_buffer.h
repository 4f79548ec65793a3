#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ByteBlock ByteBlock;

/// Bytes that grow as they are written, in blocks, so that a large file never has to move. All zeros is an empty one.
typedef struct {
    ByteBlock *first, *last;
    size_t count;
} ByteBuffer;

/// False when memory ran out; the buffer is then of no more use.
bool byte_buffer_append(ByteBuffer *buffer, const uint8_t *bytes, size_t count);
/// Moves all bytes to `destination`, or nowhere if that is NULL, and frees each block as soon as it is empty.
void byte_buffer_empty(ByteBuffer *buffer, uint8_t *destination);
