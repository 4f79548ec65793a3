#include "png_reader.h"

#include <string.h>

// Uses the progressive reader of libpng. libpng stores input that it cannot use yet, and copies it again with each
// call. It therefore receives complete chunks, except for image data, which it receives as it arrives.

static const uint32_t data_type = 0x49444154;    // IDAT
static const uint32_t end_type = 0x49454E44;     // IEND
static const uint32_t palette_type = 0x504C5445; // PLTE
// IEND with its length, 0, and its checksum.
static const uint8_t end_chunk[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};

static void give(PNGReader *reader, size_t count) {
    // The parameter of libpng is not const, but libpng does not write to it.
    png_bytep bytes = (png_bytep)reader->base.input.bytes + reader->offset;
    reader->offset += count;
    png_process_data(reader->png, reader->info, bytes, count);
}

// Returns the maximum image data to pass to libpng at once. libpng delivers every row in this data, and one byte of
// deflate expands to at most 1 032 bytes. 4 MB of pixels bound the work of a step. If rows must be stored until they
// are requested, 1 MB bounds their memory.
static size_t most_data(PNGReader *reader) {
    uint32_t left = reader->base.layout.height - reader->rows_done;
    bool may_keep = !reader->base.layout.interlaced && reader->room < left;
    size_t pixels = (size_t)(may_keep ? 1 << 20 : 4 << 20) / 4;
    uint32_t bits = png_get_bit_depth(reader->png, reader->info);
    switch (png_get_color_type(reader->png, reader->info)) {
    case PNG_COLOR_TYPE_RGB: bits *= 3; break;
    case PNG_COLOR_TYPE_GRAY_ALPHA: bits *= 2; break;
    case PNG_COLOR_TYPE_RGB_ALPHA: bits *= 4; break;
    default: break;
    }
    return pixels * bits / (8 * 1032);
}

// The size of the portions in which libpng's row reader passes data to zlib (PNG_IDAT_READ_SIZE), or the rest of a
// chunk.
static const uint32_t portion = 8192;

static uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_type(const uint8_t *type) {
    for (int i = 0; i < 4; i++) {
        uint8_t letter = type[i] | 0x20;
        if (letter < 'a' || letter > 'z') return false;
    }
    return true;
}

// Passes a chunk other than image data and IEND to libpng.
static void give_chunk(PNGReader *reader, size_t length) {
    // Without indices, the palette is a suggestion, and its checksum does not matter.
    bool is_hint = reader->chunk_type == palette_type &&
                   png_get_color_type(reader->png, reader->info) != PNG_COLOR_TYPE_PALETTE;
    if (is_hint) png_set_crc_action(reader->png, PNG_CRC_WARN_USE, PNG_CRC_NO_CHANGE);
    give(reader, length + 12);
    if (is_hint) png_set_crc_action(reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_NO_CHANGE);
}

// Passes IEND to libpng, which then checks that the compressed data is complete.
static void end(PNGReader *reader) {
    png_process_data(reader->png, reader->info, (png_bytep)end_chunk, sizeof end_chunk);
}

// Reads IEND. Its content and its checksum carry nothing, so a damaged one ends the image as well.
static void read_end(PNGReader *reader, const uint8_t *chunk, size_t length) {
    if (length != 0) {
        reader->base.warnings |= CodecWarningsHeader;
    } else if (memcmp(chunk, end_chunk, sizeof end_chunk) != 0) {
        reader->base.warnings |= CodecWarningsEnd;
    }
    reader->offset += length + 12;
    end(reader);
}

bool png_parts_lost_end(PNGReader *reader) {
    if (!reader->is_complete || reader->part != PartChunk) return false;
    reader->base.warnings |= CodecWarningsEnd;
    end(reader);
    return true;
}

// Reads the next chunk, or the header of a chunk with image data. Returns false if the input does not contain it.
static bool read_chunk(PNGReader *reader) {
    size_t left = reader->base.input.count - reader->offset;
    if (left < 8) return false;
    const uint8_t *chunk = reader->base.input.bytes + reader->offset;
    uint32_t length = number(chunk);
    uint32_t type = number(chunk + 4);
    const char *flaw = is_type(chunk + 4) ? NULL : "invalid chunk type";
    if (length > PNG_UINT_31_MAX) flaw = "a chunk is too long";
    if (flaw) {
        if (png_parts_lost_end(reader)) return true;
        codec_fail(&reader->base, CodecStatusCorrupt, flaw);
    }
    reader->chunk_type = type;
    if (type == data_type) {
        reader->in_data = true;
        reader->data_length = reader->data_left = length;
        reader->part = length > 0 ? PartData : PartDataChecksum;
        give(reader, 8);
        return true;
    }
    if (left - 8 < (size_t)length + 4) return false;
    if (reader->in_data) {
        if (!reader->is_complete) codec_fail(&reader->base, CodecStatusCorrupt, "not enough image data");
        reader->in_data = false;
    }
    if (type == end_type) {
        read_end(reader, chunk, length);
    } else {
        give_chunk(reader, length);
    }
    return true;
}

bool png_parts_read(PNGReader *reader) {
    size_t left = reader->base.input.count - reader->offset;
    switch (reader->part) {
    case PartSignature:
        if (left < 8) return false;
        reader->part = PartChunk;
        give(reader, 8);
        return true;
    case PartChunk: return read_chunk(reader);
    case PartData: {
        if (left == 0) return false;
        uint32_t read = reader->data_length - reader->data_left;
        if (read % portion == 0) reader->portions++;
        size_t count = most_data(reader);
        if (count > portion - read % portion) count = portion - read % portion;
        if (count > left) count = left;
        if (count > reader->data_left) count = reader->data_left;
        reader->gives_rest = reader->is_complete;
        // Byte by byte, so that further pixels are noticed before damage after them.
        if (reader->gives_rest && reader->portions == reader->portions_of_pixels) count = 1;
        reader->data_left -= (uint32_t)count;
        if (reader->data_left == 0) reader->part = PartDataChecksum;
        give(reader, count);
        if (reader->base.layout.interlaced) {
            // libpng counts passes from 0, and counts beyond the last pass at the end.
            reader->base.scans = png_get_current_pass_number(reader->png);
            reader->is_complete = reader->base.scans > 6;
        }
        if (reader->is_complete && !reader->gives_rest) reader->portions_of_pixels = reader->portions;
        return true;
    }
    case PartDataChecksum:
        if (left < 4) return false;
        reader->part = PartChunk;
        give(reader, 4);
        return true;
    case PartEnd: return true;
    }
}
