#pragma once

#include "CImageCodecs.h"

#include <setjmp.h>

// The common part of both readers. A codec embeds CodecReader as its first member.

typedef struct {
    void (*close)(CodecReader *reader);
    CodecStatus (*start)(CodecReader *reader, CodecLimits limits);
    CodecStatus (*absorb)(CodecReader *reader);
    CodecStatus (*read)(CodecReader *reader, uint8_t *pixels, uint32_t rows);
    CodecStatus (*finish)(CodecReader *reader);
    // NULL for a codec without scans:
    uint32_t (*showable)(const CodecReader *reader);
    CodecStatus (*show)(CodecReader *reader);
    CodecStatus (*read_shown)(CodecReader *reader, uint8_t *pixels, uint32_t rows);
} CodecOperations;

// State that must survive a longjmp is in this struct or in the struct of the codec, never in a local variable.
struct CodecReader {
    const CodecOperations *operations;
    CodecInput input; // valid during a call
    CodecLayout layout;
    bool keeps_inks;
    uint32_t scans;
    uint32_t rows;       // delivered by the current call
    bool at_once;        // the file was complete at the first call
    bool doubted;        // see cellophane_reader_doubted
    uint32_t warnings;   // bits of CodecWarnings
    CodecStatus outcome; // the result of a call that ended with a longjmp
    CodecStatus failure; // CodecStatusReady until a call fails
    char message[200];   // libjpeg's JMSG_LENGTH_MAX; libpng's are shorter
    jmp_buf escape;      // valid during a call
};

/// Ends the current call and all later calls with `status`.
_Noreturn void codec_fail(CodecReader *reader, CodecStatus status, const char *message);
/// Ends the current call with `status`. The next call may continue.
_Noreturn void codec_leave(CodecReader *reader, CodecStatus status);
