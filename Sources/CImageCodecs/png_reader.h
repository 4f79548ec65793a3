#pragma once

#include "codec_reader.h"

#include <png.h>

/// The next part of a file.
typedef enum { PartSignature, PartChunk, PartData, PartDataChecksum, PartEnd } Part;

/// A reader of PNG files by the progressive reader of libpng.
typedef struct {
    CodecReader base;
    png_structp png;
    png_infop info;
    /// The offset and the kind of the next part of the file.
    size_t offset;
    Part part;
    /// The length of the chunk's data, and its unread rest.
    uint32_t data_length, data_left;
    /// The type of the last chunk other than image data.
    uint32_t chunk_type;
    /// The number of portions of data that were begun, and the number at the last pixel.
    uint32_t portions, portions_of_pixels;
    /// True if the last data passed to libpng follows the last pixel.
    bool gives_rest;
    /// True if the file ends before IEND.
    bool ends_early;
    bool has_layout;
    bool in_data;
    bool shows_parts;
    /// The rows received from libpng; for an interlaced image, the rows with content.
    uint32_t rows_done;
    bool is_complete;
    /// The destination of rows, and the number of rows that fit.
    uint8_t *destination;
    uint32_t room;
    /// Rows that did not fit into the destination.
    uint8_t *kept;
    size_t kept_capacity, kept_first, kept_end;
} PNGReader;

/// Reads the next part of the file, and passes it to libpng. Returns false if the input does not contain it.
bool png_parts_read(PNGReader *reader);

/// Returns true if all that follows is the rest of a file that lost its end: all pixels are delivered, the checksum of
/// the last image data is right, and no valid chunk follows.
bool png_parts_lost_end(PNGReader *reader);
