#pragma once

#include "CImageCodecs.h"

#include <setjmp.h>

// The common part of both writers. A codec embeds CodecWriter as its first member.

typedef struct {
    void (*close)(CodecWriter *writer);
    void (*start)(CodecWriter *writer);
    void (*write)(CodecWriter *writer, const uint8_t *pixels, uint32_t rows);
    void (*finish)(CodecWriter *writer);
} CodecWriting;

// State that must survive a longjmp is in this struct or in the struct of the codec, never in a local variable.
struct CodecWriter {
    const CodecWriting *operations;
    CodecPicture picture;
    uint32_t rows; // written so far
    uint8_t *bytes;
    size_t count, capacity;
    CodecStatus failure; // CodecStatusReady until a call fails
    jmp_buf escape;      // valid during a call
};

/// Appends bytes to the piece that the current call returns.
void codec_append(CodecWriter *writer, const uint8_t *bytes, size_t count);
/// Ends the current call and all later calls with `status`.
_Noreturn void codec_writer_fail(CodecWriter *writer, CodecStatus status);
