#include "byte_buffer.h"

#include <stdlib.h>
#include <string.h>

bool byte_buffer_append(ByteBuffer *buffer, const uint8_t *bytes, size_t count) {
    if (count > buffer->capacity - buffer->count) {
        if (count > SIZE_MAX / 4 || buffer->capacity > SIZE_MAX / 4) return false;
        size_t capacity = buffer->capacity * 2 + count;
        uint8_t *grown = realloc(buffer->bytes, capacity);
        if (!grown) return false;
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}
