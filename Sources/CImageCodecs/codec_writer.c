#include "codec_writer.h"

#include <stdlib.h>
#include <string.h>

void cellophane_writer_close(CodecWriter *writer) {
    free(writer->bytes);
    writer->operations->close(writer);
}

void codec_append(CodecWriter *writer, const uint8_t *bytes, size_t count) {
    if (count > writer->capacity - writer->count) {
        // The capacity doubles, so each byte is copied a bounded number of times. 64 KB at least.
        size_t capacity = writer->capacity < 32 << 10 ? 64 << 10 : 2 * writer->capacity;
        if (capacity < writer->count + count) capacity = writer->count + count;
        uint8_t *larger = realloc(writer->bytes, capacity);
        if (!larger) codec_writer_fail(writer, CodecStatusOutOfMemory);
        writer->bytes = larger;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

_Noreturn void codec_writer_fail(CodecWriter *writer, CodecStatus status) {
    writer->failure = status;
    longjmp(writer->escape, 1);
}

CodecPiece cellophane_writer_write(CodecWriter *writer, const uint8_t *pixels, uint32_t rows) {
    writer->count = 0;
    if (writer->failure == CodecStatusReady && !setjmp(writer->escape)) {
        if (writer->rows == 0) writer->operations->start(writer);
        writer->operations->write(writer, pixels, rows);
        writer->rows += rows;
        if (writer->rows == writer->picture.height) writer->operations->finish(writer);
    }
    return (CodecPiece){writer->failure, writer->bytes, writer->count};
}
