#include "jpeg_source.h"

// What libjpeg sees at once, in bytes. It reads any number of markers in one go, so that this is what bounds a
// call: a million bytes are some ms. What libjpeg reads without a break is shorter (a marker's block ends at
// 65 535, a unit of blocks needs less than 4 KB), except for fill bytes before a marker, of which there may be any
// number: where it does not get on, it sees twice as much the next time.
static const size_t first_window = 1 << 20;

bool jpeg_source_may_be_fast(const struct jpeg_decompress_struct *jpeg, size_t left) {
    // What libjpeg wants is 512 bytes for each block. It reads 64 bits ahead, a byte of which may take two, so that
    // for it a unit may begin up to 16 bytes earlier.
    return left + 16 >= 512 * (size_t)jpeg->blocks_in_MCU;
}

static void nothing(j_decompress_ptr jpeg) {
    (void)jpeg;
}

// FALSE suspends libjpeg. At the end of the file it is given an end marker instead, so that it decodes what the
// last bits hold and then warns of what is missing.
static boolean fill(j_decompress_ptr jpeg) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    CodecReader *reader = jpeg->client_data;
    JPEGSource *source = (JPEGSource *)jpeg->src;
    if (!reader->input.whole || source->end < reader->input.count) return FALSE;
    // Arithmetic coding reads zeros behind a marker, without a warning.
    if (jpeg->arith_code) codec_fail(reader, CodecStatusTruncated, "the file ends before its end marker");
    source->ended = true;
    // A unit that is not whole is short, except for FF bytes: any number of them may stand for one.
    if (!reader->at_once && jpeg_source_may_be_fast(jpeg, reader->input.count - source->offset)) {
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
    size_t left = reader->input.count - source->offset;
    size_t skipped = source->skip < left ? source->skip : left;
    source->offset += skipped;
    source->skip -= skipped;
    left -= skipped;
    // Arithmetic decoding cannot be suspended.
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
    return source->end < reader->input.count || reader->input.whole ? CodecStatusMore : CodecStatusStarved;
}
