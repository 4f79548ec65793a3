#pragma once

#include "CImageCodecs.h"

#include <setjmp.h>

// What both readers share. A codec embeds CodecReader as its first member.

typedef struct {
    void (*close)(CodecReader *reader);
    CodecStatus (*start)(CodecReader *reader, CodecLimits limits);
    CodecStatus (*absorb)(CodecReader *reader);
    CodecStatus (*read)(CodecReader *reader, uint8_t *pixels, uint32_t rows);
    CodecStatus (*finish)(CodecReader *reader);
    // NULL in a codec without scans:
    uint32_t (*showable)(const CodecReader *reader);
    CodecStatus (*show)(CodecReader *reader);
    CodecStatus (*read_shown)(CodecReader *reader, uint8_t *pixels, uint32_t rows);
} CodecOperations;

// Nothing that must outlive a longjmp is kept in a local variable: it is all here or in the codec's own struct.
struct CodecReader {
    const CodecOperations *operations;
    CodecInput input; // valid only during a call
    CodecLayout layout;
    bool keeps_inks;
    uint32_t scans;
    uint32_t rows;       // delivered by the running call
    bool at_once;        // the whole file was there from the start
    bool doubted;        // see cellophane_reader_doubted
    CodecStatus outcome; // of a call that ended with a longjmp
    CodecStatus failure; // CodecStatusReady until something failed
    char message[200];   // libjpeg's JMSG_LENGTH_MAX; libpng's are shorter
    jmp_buf escape;      // valid only during a call
};

CodecReader *png_reader_new(void);
CodecReader *jpeg_reader_new(void);

/// Ends the running call and every later one with `status`.
_Noreturn void codec_fail(CodecReader *reader, CodecStatus status, const char *message);
/// Ends the running call with `status`; the next may go on.
_Noreturn void codec_leave(CodecReader *reader, CodecStatus status);
