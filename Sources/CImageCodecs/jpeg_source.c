#include "jpeg_source.h"

// The input that libjpeg sees in one call, in bytes. libjpeg reads any number of markers in a row, so this limit
// bounds a call: a million bytes take a few milliseconds. Units that libjpeg reads without interruption are shorter
// (a marker segment has at most 65 535 bytes, an MCU less than 4 KB), except for fill bytes before a marker. Without
// progress, the window doubles for the next call.
static const size_t first_window = 1 << 20;

bool jpeg_source_may_be_fast(const struct jpeg_decompress_struct *jpeg, size_t left) {
    // libjpeg requires 512 bytes for each block. It reads 64 bits ahead, and a stuffed byte takes two, so from its
    // point of view an MCU may begin up to 16 bytes earlier.
    return left + 16 >= 512 * (size_t)jpeg->blocks_in_MCU;
}

size_t jpeg_source_count(const JPEGSource *source) {
    return source->filled;
}

// Measures the input. Only the bytes since the last call are visited.
static void measure(JPEGSource *source, CodecInput input) {
    size_t end = input.count;
    while (end > source->count && input.bytes[end - 1] == 0) end--;
    if (end > source->count) source->filled = end;
    // FF 00 is data.
    if (source->filled > 0 && source->filled < input.count && input.bytes[source->filled - 1] == 0xFF) source->filled++;
    // A single zero is more likely the last byte of the data, if an encoder fills it up with zeros.
    if (input.whole && source->filled + 1 == input.count) source->filled = input.count;
    source->count = input.count;
}

static void nothing(j_decompress_ptr jpeg) {
    (void)jpeg;
}

// Suspends libjpeg by returning FALSE. At the end of the file, provides an end marker instead: libjpeg then decodes
// the remaining bits and warns about the missing data.
static boolean fill(j_decompress_ptr jpeg) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    CodecReader *reader = jpeg->client_data;
    JPEGSource *source = (JPEGSource *)jpeg->src;
    if (!reader->input.whole || source->end < source->filled) return FALSE;
    // The arithmetic decoder reads zeros after a marker without a warning.
    if (jpeg->arith_code) codec_fail(reader, CodecStatusTruncated, "the file ends before its end marker");
    source->ended = true;
    // An incomplete MCU is short, except for FF bytes: any number of them counts as one.
    if (!reader->at_once && jpeg_source_may_be_fast(jpeg, source->filled - source->offset)) {
        reader->doubted = true;
    }
    source->manager.next_input_byte = end_marker;
    source->manager.bytes_in_buffer = sizeof end_marker;
    return TRUE;
}

static void skip(j_decompress_ptr jpeg, long count) {
    if (count <= 0) return;
    JPEGSource *source = (JPEGSource *)jpeg->src;
    size_t wanted = (size_t)count;
    size_t skipped = wanted < source->manager.bytes_in_buffer ? wanted : source->manager.bytes_in_buffer;
    source->manager.next_input_byte += skipped;
    source->manager.bytes_in_buffer -= skipped;
    source->skip = wanted - skipped;
}

void jpeg_source_attach(j_decompress_ptr jpeg, JPEGSource *source) {
    source->manager.init_source = nothing;
    source->manager.fill_input_buffer = fill;
    source->manager.skip_input_data = skip;
    source->manager.resync_to_restart = jpeg_resync_to_restart;
    source->manager.term_source = nothing;
    source->window = first_window;
    jpeg->src = &source->manager;
}

void jpeg_source_open(j_decompress_ptr jpeg, JPEGSource *source) {
    if (source->ended) return;
    const CodecReader *reader = jpeg->client_data;
    measure(source, reader->input);
    size_t left = source->filled - source->offset;
    size_t skipped = source->skip < left ? source->skip : left;
    source->offset += skipped;
    source->skip -= skipped;
    left -= skipped;
    // The arithmetic decoder cannot be suspended.
    size_t seen = left < source->window || jpeg->arith_code ? left : source->window;
    source->end = source->offset + seen;
    source->manager.next_input_byte = reader->input.bytes + source->offset;
    source->manager.bytes_in_buffer = seen;
}

CodecStatus jpeg_source_close(j_decompress_ptr jpeg, JPEGSource *source) {
    const CodecReader *reader = jpeg->client_data;
    if (source->ended) return CodecStatusMore;
    size_t offset = (size_t)(source->manager.next_input_byte - reader->input.bytes);
    bool saw_window = source->end - source->offset == source->window;
    source->window = saw_window && offset == source->offset ? source->window * 2 : first_window;
    source->offset = offset;
    return source->end < source->filled || reader->input.whole ? CodecStatusMore : CodecStatusStarved;
}
