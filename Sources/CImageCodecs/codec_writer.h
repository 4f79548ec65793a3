#pragma once

#include "CImageCodecs.h"

#include <setjmp.h>

// What both writers share. A codec embeds CodecWriter as its first member.

typedef struct {
    void (*close)(CodecWriter *writer);
    void (*start)(CodecWriter *writer);
    void (*write)(CodecWriter *writer, const uint8_t *pixels, uint32_t rows);
    void (*finish)(CodecWriter *writer);
} CodecWriting;

// Nothing that must outlive a longjmp is kept in a local variable: it is all here or in the codec's own struct.
struct CodecWriter {
    const CodecWriting *operations;
    CodecPicture picture;
    uint32_t rows; // taken so far
    uint8_t *bytes;
    size_t count, capacity;
    CodecStatus failure; // CodecStatusReady until something failed
    jmp_buf escape;      // valid only during a call
};

CodecWriter *png_writer_new(void);
CodecWriter *jpeg_writer_new(void);

/// Adds to the piece that the running call gives.
void codec_append(CodecWriter *writer, const uint8_t *bytes, size_t count);
/// Ends the running call and every later one with `status`.
_Noreturn void codec_writer_fail(CodecWriter *writer, CodecStatus status);
