#ifdef CELLOPHANE_AVIF

#define _GNU_SOURCE // memmem
#include "CAVIFCodec.h"
#include "avif_library.h"

#include <codec_reader.h>
#include <stdlib.h>
#include <string.h>

/// A reader of the first frame of AVIF files. AV1 has no rows that could be delivered before the frame is decoded, so the
/// reader waits for the complete file, and decodes it in one call.
typedef struct {
    CodecReader base;
    avifDecoder *decoder;
    avifRGBImage pixels;
    uint32_t delivered;
} AVIFReader;

/// The number of pixels that one call copies: some milliseconds.
enum { step = 1 << 20 };

enum { most_item_bytes = 64 << 20 };

/// Returns a decoder with one thread, because the loader decodes several images at once; NULL if an allocation or the library
/// fails.
static avifDecoder *make_decoder(void) {
    avifDecoder *decoder = avif_library() ? avif_library()->decoder_create() : NULL;
    if (!decoder) return NULL;
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    decoder->maxThreads = 1;
    decoder->ignoreExif = AVIF_TRUE;
    decoder->ignoreXMP = AVIF_TRUE;
    // As browsers do: early encoders wrote neither valid clean apertures nor pixi.
    decoder->strictFlags &= ~(avifStrictFlags)(AVIF_STRICT_CLAP_VALID | AVIF_STRICT_PIXI_REQUIRED);
    return decoder;
}

static CodecStatus status(avifResult result) {
    switch (result) {
    case AVIF_RESULT_OK: return CodecStatusReady;
    case AVIF_RESULT_OUT_OF_MEMORY: return CodecStatusOutOfMemory;
    case AVIF_RESULT_TRUNCATED_DATA:
    case AVIF_RESULT_WAITING_ON_IO:
    case AVIF_RESULT_IO_ERROR: return CodecStatusTruncated;
    case AVIF_RESULT_UNSUPPORTED_DEPTH:
    case AVIF_RESULT_NOT_IMPLEMENTED:
    case AVIF_RESULT_NO_CODEC_AVAILABLE: return CodecStatusUnsupported;
    default: return CodecStatusCorrupt;
    }
}

static CodecStatus parse(avifDecoder *decoder, const uint8_t *bytes, size_t count) {
    avifResult result = avif_library()->decoder_set_io_memory(decoder, bytes, count);
    if (result != AVIF_RESULT_OK) return status(result);
    // The size of the file limits what libavif allocates for an item, and items beyond it would be damage. A file that is
    // still incomplete must not look damaged, so the limit is at least 64 MB.
    if (count < most_item_bytes) decoder->io->sizeHint = most_item_bytes;
    return status(avif_library()->decoder_parse(decoder));
}

CodecStatus cellophane_avif_header(const uint8_t *bytes, size_t count, AVIFHeader *header) {
    avifDecoder *decoder = make_decoder();
    if (!decoder) return CodecStatusOutOfMemory;
    CodecStatus parsed = parse(decoder, bytes, count);
    if (parsed == CodecStatusReady) {
        const avifImage *image = decoder->image;
        *header = (AVIFHeader){
            .width = image->width,
            .height = image->height,
            .depth = image->depth,
            .has_alpha = decoder->alphaPresent,
            .is_gray = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400,
            .frames = decoder->imageCount > 0 ? (uint32_t)decoder->imageCount : 1,
            .turns = image->transformFlags & AVIF_TRANSFORM_IROT ? image->irot.angle & 3 : 0,
            .mirror = image->transformFlags & AVIF_TRANSFORM_IMIR ? image->imir.mode & 1 : 2,
            .primaries = (uint8_t)image->colorPrimaries,
            .transfer = (uint8_t)image->transferCharacteristics,
            .profile_count = image->icc.size,
        };
    }
    avif_library()->decoder_destroy(decoder);
    return parsed;
}

bool cellophane_avif_profile(const uint8_t *bytes, size_t count, uint8_t *profile, size_t profile_count) {
    avifDecoder *decoder = make_decoder();
    if (!decoder) return false;
    bool has_profile = parse(decoder, bytes, count) == CodecStatusReady && decoder->image->icc.size == profile_count;
    if (has_profile) memcpy(profile, decoder->image->icc.data, profile_count);
    avif_library()->decoder_destroy(decoder);
    return has_profile;
}

/// Overwrites the part of the file that equals `data` with zeros.
static void clear(uint8_t *bytes, size_t count, const avifRWData *data) {
    if (data->size == 0) return;
    uint8_t *found = memmem(bytes, count, data->data, data->size);
    if (found) memset(found, 0, data->size);
}

void cellophane_avif_clear_metadata(uint8_t *bytes, size_t count) {
    avifDecoder *decoder = make_decoder();
    if (!decoder) return;
    decoder->ignoreExif = AVIF_FALSE;
    decoder->ignoreXMP = AVIF_FALSE;
    if (parse(decoder, bytes, count) == CodecStatusReady) {
        clear(bytes, count, &decoder->image->exif);
        clear(bytes, count, &decoder->image->xmp);
    }
    avif_library()->decoder_destroy(decoder);
}

_Noreturn static void fail(AVIFReader *reader, CodecStatus failure) {
    const char *message = reader->decoder ? reader->decoder->diag.error : "";
    codec_fail(&reader->base, failure, *message ? message : "libavif rejects the data");
}

static CodecStatus avif_start(CodecReader *base, CodecLimits limits) {
    (void)limits;
    AVIFReader *reader = (AVIFReader *)base;
    if (!base->input.whole) return CodecStatusStarved;
    reader->decoder = make_decoder();
    if (!reader->decoder) codec_fail(base, CodecStatusOutOfMemory, "no memory");
    CodecStatus parsed = parse(reader->decoder, base->input.bytes, base->input.count);
    if (parsed != CodecStatusReady) fail(reader, parsed);
    base->layout = (CodecLayout){.width = reader->decoder->image->width, .height = reader->decoder->image->height};
    return CodecStatusReady;
}

/// Prepares the conversion of a frame to 8-bit RGBA. The caller sets the pixels.
static void prepare(avifRGBImage *pixels, const avifImage *image) {
    avif_library()->rgb_image_set_defaults(pixels, image);
    pixels->depth = 8;
    pixels->format = AVIF_RGB_FORMAT_RGBA;
    // The versions of libyuv in use convert 12 bits with errors of up to 64 levels.
    pixels->avoidLibYUV = image->depth > 8;
    // The plan of the decoding limits the size, so the product does not overflow.
    pixels->rowBytes = image->width * 4;
}

CodecStatus cellophane_avif_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t pixel_count) {
    avifDecoder *decoder = make_decoder();
    if (!decoder) return CodecStatusOutOfMemory;
    CodecStatus result = parse(decoder, bytes, count);
    if (result == CodecStatusReady) result = status(avif_library()->decoder_next_image(decoder));
    if (result == CodecStatusReady) {
        const avifImage *image = decoder->image;
        if ((size_t)image->width * image->height * 4 == pixel_count) {
            avifRGBImage target;
            prepare(&target, image);
            target.pixels = pixels;
            result = status(avif_library()->image_yuv_to_rgb(image, &target));
        } else {
            result = CodecStatusCorrupt;
        }
    }
    avif_library()->decoder_destroy(decoder);
    return result;
}

static CodecStatus avif_absorb(CodecReader *base) {
    AVIFReader *reader = (AVIFReader *)base;
    // The address of the input may have changed since the start.
    CodecStatus parsed = parse(reader->decoder, base->input.bytes, base->input.count);
    if (parsed != CodecStatusReady) fail(reader, parsed);
    avifResult result = avif_library()->decoder_next_image(reader->decoder);
    if (result != AVIF_RESULT_OK) fail(reader, status(result));
    const avifImage *image = reader->decoder->image;
    if (image->width != base->layout.width || image->height != base->layout.height) {
        codec_fail(base, CodecStatusCorrupt, "the size of the frame differs between its headers");
    }
    prepare(&reader->pixels, image);
    reader->pixels.pixels = malloc((size_t)reader->pixels.rowBytes * image->height);
    if (!reader->pixels.pixels) codec_fail(base, CodecStatusOutOfMemory, "no memory");
    result = avif_library()->image_yuv_to_rgb(image, &reader->pixels);
    if (result != AVIF_RESULT_OK) fail(reader, status(result));
    // The planes are no longer needed.
    avif_library()->decoder_destroy(reader->decoder);
    reader->decoder = NULL;
    return CodecStatusReady;
}

static CodecStatus avif_read(CodecReader *base, uint8_t *pixels, uint32_t rows) {
    AVIFReader *reader = (AVIFReader *)base;
    size_t stride = reader->pixels.rowBytes;
    uint32_t most = step / base->layout.width + 1;
    uint32_t count = rows < most ? rows : most;
    memcpy(pixels, reader->pixels.pixels + reader->delivered * stride, count * stride);
    base->rows = count;
    reader->delivered += count;
    return count == rows ? CodecStatusReady : CodecStatusMore;
}

static CodecStatus avif_finish(CodecReader *base) {
    (void)base;
    return CodecStatusReady;
}

static void avif_close(CodecReader *base) {
    AVIFReader *reader = (AVIFReader *)base;
    if (reader->decoder) avif_library()->decoder_destroy(reader->decoder);
    free(reader->pixels.pixels);
    free(reader);
}

CodecReader *cellophane_avif_reader(void) {
    static const CodecOperations operations = {
        .close = avif_close, .start = avif_start, .absorb = avif_absorb, .read = avif_read, .finish = avif_finish};
    AVIFReader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->base.operations = &operations;
    return &reader->base;
}

#endif
