#include "codec_reader.h"

#include <stdio.h>

CodecReader *cellophane_reader_open(CodecFormat format) {
    switch (format) {
    case CodecFormatPNG: return png_reader_new();
    case CodecFormatJPEG: return jpeg_reader_new();
    }
}

void cellophane_reader_close(CodecReader *reader) {
    reader->operations->close(reader);
}

_Noreturn void codec_fail(CodecReader *reader, CodecStatus status, const char *message) {
    reader->failure = status;
    snprintf(reader->message, sizeof reader->message, "%s", message);
    longjmp(reader->escape, 1);
}

CodecStatus cellophane_reader_start(CodecReader *reader, const uint8_t *bytes, size_t count, CodecLimits limits) {
    if (reader->failure != CodecStatusReady) return reader->failure;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->escape)) return reader->failure;
    return reader->operations->start(reader, limits);
}

CodecLayout cellophane_reader_layout(const CodecReader *reader) {
    return reader->layout;
}

CodecStatus cellophane_reader_absorb(CodecReader *reader, const uint8_t *bytes, size_t count) {
    if (reader->failure != CodecStatusReady) return reader->failure;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->escape)) return reader->failure;
    return reader->operations->absorb(reader);
}

CodecStatus cellophane_reader_read(CodecReader *reader, const uint8_t *bytes, size_t count, uint8_t *pixels,
                                   uint32_t rows) {
    if (reader->failure != CodecStatusReady) return reader->failure;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->escape)) return reader->failure;
    return reader->operations->read(reader, pixels, rows);
}

CodecStatus cellophane_reader_finish(CodecReader *reader, const uint8_t *bytes, size_t count) {
    if (reader->failure != CodecStatusReady) return reader->failure;
    reader->bytes = bytes;
    reader->count = count;
    if (setjmp(reader->escape)) return reader->failure;
    return reader->operations->finish(reader);
}

const char *cellophane_reader_message(const CodecReader *reader) {
    return reader->message;
}
