#include "byte_buffer.h"

#include <string.h>
#include <sys/mman.h>

// With its head a little less than 1 MB.
enum { block_capacity = (1 << 20) - 64 };

struct ByteBlock {
    ByteBlock *next;
    size_t count;
    uint8_t bytes[block_capacity];
};

bool byte_buffer_append(ByteBuffer *buffer, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ByteBlock *block = buffer->last;
        if (!block || block->count == block_capacity) {
            // Not malloc, which would keep what is freed, as long as something behind it is in use.
            block = mmap(NULL, sizeof *block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (block == MAP_FAILED) return false;
            *(buffer->last ? &buffer->last->next : &buffer->first) = block;
            buffer->last = block;
        }
        size_t room = block_capacity - block->count;
        size_t step = count < room ? count : room;
        memcpy(block->bytes + block->count, bytes, step);
        block->count += step;
        buffer->count += step;
        bytes += step;
        count -= step;
    }
    return true;
}

void byte_buffer_empty(ByteBuffer *buffer, uint8_t *destination) {
    while (buffer->first) {
        ByteBlock *block = buffer->first;
        if (destination) {
            memcpy(destination, block->bytes, block->count);
            destination += block->count;
        }
        buffer->first = block->next;
        munmap(block, sizeof *block);
    }
    *buffer = (ByteBuffer){0};
}
