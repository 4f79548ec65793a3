#ifdef CELLOPHANE_GIF

#include "CGIFCodec.h"

#include <codec_reader.h>
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

/// A reader of the first frame of GIF files, by giflib. giflib cannot continue after the end of its input, so the reader waits
/// for the complete file.
typedef struct {
    CodecReader base;
    GifFileType *gif;
    /// The offset of the next byte for giflib.
    size_t offset;
    /// True if giflib asked for bytes after the end of the file.
    bool is_at_end;
    /// The place of the frame in the canvas, and the size of its part within the canvas.
    uint32_t left, top, width, height;
    /// The height of the complete frame.
    uint32_t frame_height;
    /// The palette: red, green, blue and alpha of each index.
    uint8_t palette[256][4];
    /// The index of the transparent color, or NO_TRANSPARENT_COLOR.
    int transparent;
    /// The palette indices of that part.
    uint8_t *indices;
    /// The palette indices of one line of the complete frame.
    uint8_t *line;
    /// The number of lines that the file has delivered so far.
    uint32_t lines;
    /// The error of giflib after those lines; 0 without one. The rows before it are delivered first.
    int error;
    /// The number of rows of the canvas that were delivered.
    uint32_t delivered;
} GIFReader;

/// The number of pixels that one call decodes: some milliseconds.
enum { step = 1 << 20 };

static int read_input(GifFileType *gif, GifByteType *bytes, int count) {
    GIFReader *reader = gif->UserData;
    CodecInput input = reader->base.input;
    size_t left = input.count - reader->offset;
    size_t given = (size_t)count < left ? (size_t)count : left;
    memcpy(bytes, input.bytes + reader->offset, given);
    reader->offset += given;
    if (given < (size_t)count) reader->is_at_end = true;
    return (int)given;
}

_Noreturn static void fail(GIFReader *reader, int error) {
    if (error == D_GIF_ERR_NOT_ENOUGH_MEM) codec_fail(&reader->base, CodecStatusOutOfMemory, "no memory");
    // giflib does not name the end of the file as the reason of every error.
    if (reader->is_at_end) codec_fail(&reader->base, CodecStatusTruncated, "the file ends before the last row");
    const char *message = GifErrorString(error);
    codec_fail(&reader->base, CodecStatusCorrupt, message ? message : "giflib rejects the data");
}

/// Reads the blocks up to the first image.
static void find_frame(GIFReader *reader) {
    GifFileType *gif = reader->gif;
    for (;;) {
        GifRecordType type;
        if (DGifGetRecordType(gif, &type) != GIF_OK) fail(reader, gif->Error);
        switch (type) {
        case IMAGE_DESC_RECORD_TYPE:
            if (DGifGetImageDesc(gif) != GIF_OK) fail(reader, gif->Error);
            return;
        case EXTENSION_RECORD_TYPE: {
            int code;
            GifByteType *block;
            if (DGifGetExtension(gif, &code, &block) != GIF_OK) fail(reader, gif->Error);
            GraphicsControlBlock control;
            if (code == GRAPHICS_EXT_FUNC_CODE && block &&
                DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
                reader->transparent = control.TransparentColor;
            }
            while (block) {
                if (DGifGetExtensionNext(gif, &block) != GIF_OK) fail(reader, gif->Error);
            }
            break;
        }
        case TERMINATE_RECORD_TYPE: codec_fail(&reader->base, CodecStatusCorrupt, "the file has no image");
        default: break;
        }
    }
}

static void read_palette(GIFReader *reader) {
    const ColorMapObject *map = reader->gif->Image.ColorMap ? reader->gif->Image.ColorMap : reader->gif->SColorMap;
    // Indices beyond the palette are black.
    for (int index = 0; index < 256; index++) {
        uint8_t *color = reader->palette[index];
        if (map && index < map->ColorCount) {
            color[0] = map->Colors[index].Red;
            color[1] = map->Colors[index].Green;
            color[2] = map->Colors[index].Blue;
        }
        color[3] = 255;
        if (index == reader->transparent) memset(color, 0, 4);
    }
}

/// Returns the part of `length` from `start` that is within `limit`.
static uint32_t within(uint32_t length, uint32_t start, uint32_t limit) {
    uint32_t room = start < limit ? limit - start : 0;
    return length < room ? length : room;
}

static CodecStatus gif_start(CodecReader *base, CodecLimits limits) {
    (void)limits;
    GIFReader *reader = (GIFReader *)base;
    if (!base->input.whole) return CodecStatusStarved;
    int error = 0;
    reader->transparent = NO_TRANSPARENT_COLOR;
    reader->gif = DGifOpen(reader, read_input, &error);
    if (!reader->gif) fail(reader, error);
    find_frame(reader);
    GifImageDesc *frame = &reader->gif->Image;
    uint32_t width = (uint32_t)reader->gif->SWidth, height = (uint32_t)reader->gif->SHeight;
    if (frame->Left < 0 || frame->Top < 0 || frame->Width <= 0 || frame->Height <= 0) {
        codec_fail(base, CodecStatusCorrupt, "the first frame has no pixels");
    }
    reader->left = (uint32_t)frame->Left;
    reader->top = (uint32_t)frame->Top;
    reader->frame_height = (uint32_t)frame->Height;
    // Browsers show the first frame of a file whose canvas has no size.
    if (width == 0 || height == 0) {
        width = reader->left + (uint32_t)frame->Width;
        height = reader->top + (uint32_t)frame->Height;
    }
    reader->width = within((uint32_t)frame->Width, reader->left, width);
    reader->height = within((uint32_t)frame->Height, reader->top, height);
    read_palette(reader);
    base->layout = (CodecLayout){.width = width, .height = height};
    // No side exceeds 131 070, so the product does not overflow. One byte more, because the part may have no pixels.
    reader->indices = malloc((size_t)reader->width * reader->height + 1);
    reader->line = malloc((size_t)frame->Width);
    return reader->indices && reader->line ? CodecStatusReady : CodecStatusOutOfMemory;
}

/// Returns the row of the frame that the file has as line `number`.
static uint32_t row_of_line(const GIFReader *reader, uint32_t number) {
    if (!reader->gif->Image.Interlace) return number;
    static const uint32_t first[] = {0, 4, 2, 1}, distance[] = {8, 8, 4, 2};
    for (int pass = 0; pass < 4; pass++) {
        uint32_t height = reader->frame_height;
        uint32_t count = height > first[pass] ? (height - first[pass] - 1) / distance[pass] + 1 : 0;
        if (number < count) return first[pass] + number * distance[pass];
        number -= count;
    }
    return reader->frame_height - 1;
}

static CodecStatus gif_absorb(CodecReader *base) {
    GIFReader *reader = (GIFReader *)base;
    int width = reader->gif->Image.Width;
    for (size_t pixels = 0; reader->lines < reader->frame_height; pixels += (size_t)width) {
        if (pixels > step) return CodecStatusMore;
        if (DGifGetLine(reader->gif, reader->line, width) != GIF_OK) {
            reader->error = reader->gif->Error;
            break;
        }
        uint32_t row = row_of_line(reader, reader->lines);
        if (row < reader->height) memcpy(reader->indices + (size_t)row * reader->width, reader->line, reader->width);
        reader->lines++;
    }
    return CodecStatusReady;
}

static void write_row(GIFReader *reader, uint32_t row, uint8_t *pixels) {
    bool is_in_frame = row >= reader->top && row - reader->top < reader->height;
    // The lines of an interlaced image are not in order.
    uint32_t known = reader->gif->Image.Interlace && reader->error != 0 ? 0 : reader->lines;
    if (is_in_frame && row - reader->top >= known) fail(reader, reader->error);
    if (!is_in_frame || reader->width < reader->base.layout.width) {
        memset(pixels, 0, (size_t)reader->base.layout.width * 4);
    }
    if (!is_in_frame) return;
    const uint8_t *indices = reader->indices + (size_t)(row - reader->top) * reader->width;
    uint8_t *pixel = pixels + (size_t)reader->left * 4;
    for (uint32_t index = 0; index < reader->width; index++, pixel += 4) memcpy(pixel, reader->palette[indices[index]], 4);
}

static CodecStatus gif_read(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    GIFReader *reader = (GIFReader *)base;
    size_t stride = (size_t)base->layout.width * 4;
    for (size_t done = 0; base->rows < rows; done += base->layout.width) {
        if (done > step) return CodecStatusMore;
        write_row(reader, reader->delivered, pixels + base->rows * stride);
        base->rows++;
        reader->delivered++;
    }
    return CodecStatusReady;
}

static CodecStatus gif_finish(CodecReader *base) {
    (void)base;
    return CodecStatusReady;
}

static void gif_close(CodecReader *base) {
    GIFReader *reader = (GIFReader *)base;
    int error;
    if (reader->gif) DGifCloseFile(reader->gif, &error);
    free(reader->indices);
    free(reader->line);
    free(reader);
}

CodecReader *cellophane_gif_reader(void) {
    static const CodecOperations operations = {
        .close = gif_close, .start = gif_start, .absorb = gif_absorb, .read = gif_read, .finish = gif_finish};
    GIFReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}

#endif
