#include "codec_reader.h"

#include <stdio.h>

void cellophane_reader_close(CodecReader *reader) {
    reader->operations->close(reader);
}

_Noreturn void codec_leave(CodecReader *reader, CodecStatus status) {
    reader->outcome = status;
    longjmp(reader->escape, 1);
}

_Noreturn void codec_fail(CodecReader *reader, CodecStatus status, const char *message) {
    reader->failure = status;
    snprintf(reader->message, sizeof reader->message, "%s", message);
    codec_leave(reader, status);
}

CodecStatus cellophane_reader_start(CodecReader *reader, CodecInput input, CodecLimits limits) {
    if (reader->failure != CodecStatusReady) return reader->failure;
    reader->input = input;
    if (setjmp(reader->escape)) return reader->outcome;
    return reader->operations->start(reader, limits);
}

CodecLayout cellophane_reader_layout(const CodecReader *reader) {
    return reader->layout;
}

void cellophane_reader_keep_inks(CodecReader *reader) {
    reader->keeps_inks = true;
}

uint32_t cellophane_reader_scans(const CodecReader *reader) {
    return reader->scans;
}

CodecStatus cellophane_reader_absorb(CodecReader *reader, CodecInput input) {
    if (reader->failure != CodecStatusReady) return reader->failure;
    reader->input = input;
    if (setjmp(reader->escape)) return reader->outcome;
    return reader->operations->absorb(reader);
}

CodecRows cellophane_reader_read(CodecReader *reader, CodecInput input, uint8_t *pixels, uint32_t rows) {
    if (reader->failure != CodecStatusReady) return (CodecRows){reader->failure, 0};
    reader->input = input;
    reader->rows = 0;
    if (setjmp(reader->escape)) return (CodecRows){reader->outcome, reader->rows};
    CodecStatus status = reader->operations->read(reader, pixels, rows);
    return (CodecRows){status, reader->rows};
}

CodecStatus cellophane_reader_finish(CodecReader *reader, CodecInput input) {
    if (reader->failure != CodecStatusReady) return reader->failure;
    reader->input = input;
    if (setjmp(reader->escape)) return reader->outcome;
    return reader->operations->finish(reader);
}

uint32_t cellophane_reader_showable(const CodecReader *reader) {
    return reader->operations->showable ? reader->operations->showable(reader) : 0;
}

CodecStatus cellophane_reader_show(CodecReader *reader) {
    if (cellophane_reader_showable(reader) == 0) return CodecStatusCorrupt;
    if (setjmp(reader->escape)) return reader->outcome;
    return reader->operations->show(reader);
}

CodecRows cellophane_reader_read_shown(CodecReader *reader, uint8_t *pixels, uint32_t rows) {
    if (!reader->operations->read_shown) return (CodecRows){CodecStatusCorrupt, 0};
    reader->rows = 0;
    if (setjmp(reader->escape)) return (CodecRows){reader->outcome, reader->rows};
    CodecStatus status = reader->operations->read_shown(reader, pixels, rows);
    return (CodecRows){status, reader->rows};
}

bool cellophane_reader_doubted(const CodecReader *reader) {
    return reader->doubted;
}

uint32_t cellophane_reader_warnings(const CodecReader *reader) {
    return reader->warnings;
}

const char *cellophane_reader_message(const CodecReader *reader) {
    return reader->message;
}
