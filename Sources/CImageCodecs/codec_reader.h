#pragma once

#include "CImageCodecs.h"

#include <setjmp.h>

// What both readers share. A codec embeds CodecReader as its first member.

typedef struct {
    CodecStatus (*start)(CodecReader *reader, CodecLimits limits);
    CodecStatus (*absorb)(CodecReader *reader);
    CodecStatus (*read)(CodecReader *reader, uint8_t *pixels, uint32_t rows);
    CodecStatus (*finish)(CodecReader *reader);
    void (*close)(CodecReader *reader);
} CodecOperations;

struct CodecReader {
    const CodecOperations *operations;
    const uint8_t *bytes; // valid only during a call
    size_t count;
    CodecLayout layout;
    CodecStatus failure; // CodecStatusReady until something failed
    char message[200];   // libjpeg's JMSG_LENGTH_MAX; libpng's are shorter
    jmp_buf escape;      // valid only during a call
};

CodecReader *png_reader_new(void);
CodecReader *jpeg_reader_new(void);

/// Ends the running call with `status`.
_Noreturn void codec_fail(CodecReader *reader, CodecStatus status, const char *message);
