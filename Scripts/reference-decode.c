// The reference decoder for the corpus: PNG and JPEG in the simplest use of libpng and libjpeg-turbo.
// make-corpus.py compiles and runs it. It shares no code with Sources/.
//
// Reads files from stdin. Each has a length of 4 bytes (big-endian), followed by the bytes. Writes a line per file.
//     ok WIDTH HEIGHT HASH WARNING...
//                                 Followed by WIDTH * HEIGHT * 4 bytes: red, green, blue, alpha, as stored.
//     error KIND MESSAGE          If the file cannot be decoded.
// HASH is the FNV-1a hash (64 bits) of those bytes. A WARNING names a deviation that leaves every pixel right.
//
// The rules where the libraries have options:
// - PNG: samples of 16 bits are reduced to their high byte. A wrong checksum is an error in a chunk that affects the
//   pixels, and a warning in others. After the last chunk of image data, the file may end anywhere. Other warnings of
//   libpng do not count.
// - JPEG: the defaults of djpeg (accurate integer DCT, smooth upsampling, block smoothing). A warning of libjpeg is an
//   error if pixels are missing or invented. The end marker may be missing if every scan is complete. Zeros at the end
//   of the file count as missing.
// - CMYK is complemented, with or without Adobe's marker, as in Chromium (Skia), Firefox, WebKit and Pillow: red is cyan
//   times black, divided by 255 and rounded. (libvips complements only with the marker.)
// - The limits are 100 million pixels and 100 scans.

#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>
#include <png.h>
#include <zlib.h>

#define MOST_PIXELS 100000000ull
#define MOST_SCANS 100

static jmp_buf escape;
static const char *kind;
static char message[JMSG_LENGTH_MAX + 100];

static _Noreturn void fail(const char *why, const char *what) {
    kind = why;
    snprintf(message, sizeof message, "%s", what);
    longjmp(escape, 1);
}

static uint8_t *pixels;
static size_t width, height;
static int missing_end, damaged_metadata, irregular_header; // the warnings

static void make_room(size_t columns, size_t rows) {
    if ((uint64_t)columns * rows > MOST_PIXELS) fail("image-too-large", "too many pixels");
    width = columns;
    height = rows;
    pixels = calloc(columns * rows, 4);
    if (!pixels) abort();
}

// PNG

static const uint8_t *unread;
static size_t unread_count;
static int has_pixels; // true after the last row
static z_stream data;  // finds the end of the compressed data, which libpng does not report
static int has_data;

static uint32_t number(const char *type) {
    return (uint32_t)type[0] << 24 | (uint32_t)type[1] << 16 | (uint32_t)type[2] << 8 | (uint32_t)type[3];
}

static int is_in_header(png_structp png) {
    return (png_get_io_state(png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR;
}

static void inflate_data(uint8_t *bytes, size_t count) {
    static uint8_t output[1 << 16];
    data.next_in = bytes;
    data.avail_in = (uInt)count;
    int result = Z_OK;
    while (!has_data && result == Z_OK) {
        data.next_out = output;
        data.avail_out = sizeof output;
        result = inflate(&data, Z_NO_FLUSH);
        has_data = result == Z_STREAM_END;
    }
}

static _Noreturn void end_early(const char *why) {
    if (!has_data) fail(why, "the image data is incomplete");
    missing_end = 1;
    longjmp(escape, 1);
}

static void on_png_error(png_structp png, png_const_charp what) {
    if (has_pixels && is_in_header(png)) end_early("corrupt"); // bytes that are no chunk
    fail(strstr(what, "unhandled critical chunk") ? "unsupported" : "corrupt", what);
}

static void on_png_warning(png_structp png, png_const_charp what) {
    png_const_infop info = png_get_error_ptr(png);
    uint32_t type = png_get_io_chunk_type(png);
    if (type == number("IEND") && strstr(what, "invalid")) irregular_header = 1; // it has content
    if (!strstr(what, "CRC error")) return;
    int color = png_get_color_type(png, info);
    int is_hint = type == number("PLTE") && color != PNG_COLOR_TYPE_PALETTE;
    // One wrong bit in the type can hide a tRNS.
    int is_alpha = __builtin_popcount(type ^ number("tRNS")) <= 1 && !(color & PNG_COLOR_MASK_ALPHA);
    int is_ancillary = type >> 29 & 1; // its first letter is small
    if (type == number("IEND")) {
        missing_end = 1;
    } else if ((is_ancillary && !is_alpha) || is_hint) {
        damaged_metadata = 1;
    } else {
        fail("corrupt", what);
    }
}

static void on_png_read(png_structp png, png_bytep destination, size_t count) {
    int is_in_data = png_get_io_chunk_type(png) == number("IDAT") && !is_in_header(png);
    if (count > unread_count) {
        if (has_pixels && !is_in_data) end_early("truncated");
        fail("truncated", "the file ends inside a chunk");
    }
    memcpy(destination, unread, count);
    unread += count;
    unread_count -= count;
    if (is_in_data && (png_get_io_state(png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_DATA) inflate_data(destination, count);
}

static void decode_png(const uint8_t *bytes, size_t count) {
    static png_structp png;
    static png_infop info;
    static png_bytepp rows;
    unread = bytes;
    unread_count = count;
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_png_error, on_png_warning);
    info = png_create_info_struct(png);
    png_set_error_fn(png, info, on_png_error, on_png_warning);
    rows = NULL;
    has_pixels = has_data = 0;
    inflateInit(&data);
    if (!setjmp(escape)) {
        png_set_read_fn(png, NULL, on_png_read);
        png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD); // on_png_warning decides
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        png_read_info(png, info);
        make_room(png_get_image_width(png, info), png_get_image_height(png, info));
        png_set_expand(png);
        png_set_strip_16(png);
        png_set_gray_to_rgb(png);
        png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
        png_set_interlace_handling(png);
        png_read_update_info(png, info);
        if (png_get_rowbytes(png, info) != width * 4) fail("unsupported", "not 4 bytes per pixel");
        rows = calloc(height, sizeof *rows);
        if (!rows) abort();
        for (size_t row = 0; row < height; row++) rows[row] = pixels + row * width * 4;
        png_read_image(png, rows);
        has_pixels = 1;
        png_read_end(png, info); // with NULL, libpng would skip the chunks after the pixels
    }
    inflateEnd(&data);
    free(rows);
    png_destroy_read_struct(&png, &info, NULL);
}

// JPEG

static unsigned seen_components; // of the scans so far, as bits

static void on_jpeg_error(j_common_ptr jpeg) {
    char what[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, what);
    if (missing_end) fail("truncated", what);
    switch (jpeg->err->msg_code) {
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY: fail("truncated", what);
    case JERR_IMAGE_TOO_BIG:
    case JERR_NO_BACKING_STORE:
    case JERR_WIDTH_OVERFLOW: fail("image-too-large", what);
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED: fail("unsupported", what);
    default: fail("corrupt", what);
    }
}

static void on_jpeg_message(j_common_ptr jpeg, int level) {
    if (level >= 0) return;
    char what[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, what);
    switch (jpeg->err->msg_code) {
    case JWRN_JPEG_EOF:          // the file ends early; libjpeg inserts an end marker
        // The arithmetic decoder reads zeros after a marker without a warning.
        if (((j_decompress_ptr)jpeg)->arith_code) fail("truncated", what);
        missing_end = 1;
        return;
    case JWRN_EXTRANEOUS_DATA:   // bytes between markers; before a missing end, they may be damaged data
        if (missing_end) fail("truncated", what);
        return;
    case JWRN_HIT_MARKER:        // the scan ends early; libjpeg invents blocks
        fail("truncated", what);
    case JWRN_HUFF_BAD_CODE:     // libjpeg invents zeros
    case JWRN_ARITH_BAD_CODE:
        fail(missing_end ? "truncated" : "corrupt", what);
    case JWRN_MUST_RESYNC: { // libjpeg skips or repeats blocks, unless the number is 3, 4 or 5 too high (modulo 8)
        int marker = jpeg->err->msg_parm.i[0], ahead = (marker - 0xD0 - jpeg->err->msg_parm.i[1] + 8) % 8;
        if (marker < 0xD0 || marker > 0xD7 || ahead < 3 || ahead > 5) fail(missing_end ? "truncated" : "corrupt", what);
        irregular_header = 1;
        return;
    }
    case JWRN_NOT_SEQUENTIAL:    // a scan of a sequential file has all coefficients anyway
    case JWRN_BOGUS_PROGRESSION: // every bit of a scan goes to its place
    case JWRN_ADOBE_XFORM:       // unknown values
    case JWRN_JFIF_MAJOR:
        irregular_header = 1;
        return;
    default: return;             // color profiles
    }
}

// libjpeg calls this after the header of each scan, before its data.
static void on_jpeg_progress(j_common_ptr common) {
    j_decompress_ptr jpeg = (j_decompress_ptr)common;
    if (jpeg->input_scan_number > MOST_SCANS) fail("image-too-large", "too many scans");
    for (int n = 0; n < jpeg->comps_in_scan; n++) seen_components |= 1u << jpeg->cur_comp_info[n]->component_index;
}

// Returns whether the scans bring every component, and every bit of each coefficient of a progressive file.
static int has_all_scans(j_decompress_ptr jpeg) {
    if (seen_components != (1u << jpeg->num_components) - 1) return 0;
    for (int n = 0; jpeg->progressive_mode && n < jpeg->num_components * DCTSIZE2; n++) {
        if (jpeg->coef_bits[n / DCTSIZE2][n % DCTSIZE2] != 0) return 0;
    }
    return 1;
}

// Returns the size without zeros at the end. One zero can be data, and so can a zero after FF.
static size_t size_without_zeros(const uint8_t *bytes, size_t count) {
    size_t size = count;
    while (size > 0 && bytes[size - 1] == 0) size--;
    if (size > 0 && size < count && bytes[size - 1] == 0xFF) size++;
    return size + 1 == count ? count : size;
}

static void convert_cmyk(uint8_t *row) {
    for (uint8_t *pixel = row; pixel < row + width * 4; pixel += 4) {
        for (int ink = 0; ink < 3; ink++) {
            pixel[ink] = (uint8_t)((2 * pixel[ink] * pixel[3] + 255) / 510);
        }
        pixel[3] = 255;
    }
}

static void decode_jpeg(const uint8_t *bytes, size_t count) {
    static struct jpeg_decompress_struct jpeg;
    static struct jpeg_error_mgr errors;
    static struct jpeg_progress_mgr progress;
    memset(&jpeg, 0, sizeof jpeg);
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = on_jpeg_error;
    errors.emit_message = on_jpeg_message;
    seen_components = 0;
    if (!setjmp(escape)) {
        jpeg_create_decompress(&jpeg);
        progress.progress_monitor = on_jpeg_progress;
        jpeg.progress = &progress;
        jpeg_mem_src(&jpeg, bytes, size_without_zeros(bytes, count));
        jpeg_read_header(&jpeg, TRUE);
        if (missing_end) fail("truncated", "the file ends in its head");
        if (jpeg.jpeg_color_space == JCS_UNKNOWN) fail("unsupported", "unknown colour space");
        int is_cmyk = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
        jpeg.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
        make_room(jpeg.image_width, jpeg.image_height);
        jpeg_start_decompress(&jpeg); // reads all scans if there are several
        if (missing_end && !has_all_scans(&jpeg)) fail("truncated", "a scan is missing");
        while (jpeg.output_scanline < jpeg.output_height) {
            JSAMPROW row = pixels + (size_t)jpeg.output_scanline * width * 4;
            jpeg_read_scanlines(&jpeg, &row, 1);
            if (is_cmyk) convert_cmyk(row);
        }
        jpeg_finish_decompress(&jpeg);
    }
    jpeg_destroy_decompress(&jpeg);
}

// Both

static uint64_t hash(void) {
    uint64_t value = 0xCBF29CE484222325;
    for (size_t i = 0; i < width * height * 4; i++) value = (value ^ pixels[i]) * 0x100000001B3;
    return value;
}

static void decode(const uint8_t *bytes, size_t count) {
    kind = NULL;
    pixels = NULL;
    missing_end = damaged_metadata = irregular_header = 0;
    if (count >= 8 && !png_sig_cmp(bytes, 0, 8)) {
        decode_png(bytes, count);
    } else if (count >= 3 && !memcmp(bytes, "\xFF\xD8\xFF", 3)) {
        decode_jpeg(bytes, count);
    } else {
        kind = "unsupported";
        snprintf(message, sizeof message, "not PNG or JPEG");
    }
    if (kind) {
        printf("error %s %s\n", kind, message);
    } else {
        printf("ok %zu %zu %016" PRIX64 "%s%s%s\n", width, height, hash(), missing_end ? " missing-end" : "",
               damaged_metadata ? " damaged-metadata" : "", irregular_header ? " irregular-header" : "");
        fwrite(pixels, 4, width * height, stdout);
    }
    free(pixels);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        printf("libpng %s, libjpeg-turbo %d.%d.%d\n", png_get_libpng_ver(NULL), LIBJPEG_TURBO_VERSION_NUMBER / 1000000,
               LIBJPEG_TURBO_VERSION_NUMBER / 1000 % 1000, LIBJPEG_TURBO_VERSION_NUMBER % 1000);
        return 0;
    }
    uint8_t prefix[4];
    while (fread(prefix, 1, 4, stdin) == 4) {
        size_t count = (size_t)prefix[0] << 24 | prefix[1] << 16 | prefix[2] << 8 | prefix[3];
        uint8_t *bytes = malloc(count + 1);
        if (!bytes || fread(bytes, 1, count, stdin) != count) return 1;
        decode(bytes, count);
        free(bytes);
    }
    return fflush(stdout) ? 1 : 0;
}
