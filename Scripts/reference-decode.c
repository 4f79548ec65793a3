// The reference decoder for the corpus: PNG and JPEG in the simplest use of libpng and libjpeg-turbo.
// make-corpus.py compiles and runs it. It shares no code with Sources/.
//
// Reads files from stdin. Each has a length of 4 bytes (big-endian), followed by the bytes. Writes a line per file.
//     ok WIDTH HEIGHT HASH        Followed by WIDTH * HEIGHT * 4 bytes: red, green, blue, alpha, as stored.
//     error KIND MESSAGE          If the file cannot be decoded.
// HASH is the FNV-1a hash (64 bits) of those bytes.
//
// The rules where the libraries have options:
// - PNG: samples of 16 bits are reduced to their high byte. A wrong checksum is an error in every chunk. A warning of
//   libpng is not an error.
// - JPEG: the defaults of djpeg (accurate integer DCT, smooth upsampling, block smoothing). A warning of libjpeg is an
//   error if pixels are missing or invented.
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

static void on_png_error(png_structp png, png_const_charp what) {
    (void)png;
    fail(strstr(what, "unhandled critical chunk") ? "unsupported" : "corrupt", what);
}

static void on_png_warning(png_structp png, png_const_charp what) {
    (void)png;
    (void)what;
}

static void on_png_read(png_structp png, png_bytep destination, size_t count) {
    (void)png;
    if (count > unread_count) fail("truncated", "the file ends inside a chunk");
    memcpy(destination, unread, count);
    unread += count;
    unread_count -= count;
}

static void decode_png(const uint8_t *bytes, size_t count) {
    static png_structp png;
    static png_infop info;
    static png_bytepp rows;
    unread = bytes;
    unread_count = count;
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_png_error, on_png_warning);
    info = png_create_info_struct(png);
    rows = NULL;
    if (!setjmp(escape)) {
        png_set_read_fn(png, NULL, on_png_read);
        png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
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
        png_read_end(png, info); // with NULL, libpng would skip the chunks after the pixels
    }
    free(rows);
    png_destroy_read_struct(&png, &info, NULL);
}

// JPEG

static void on_jpeg_error(j_common_ptr jpeg) {
    char what[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, what);
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
    case JWRN_HIT_MARKER:        // the scan ends early; libjpeg invents blocks
        fail("truncated", what);
    case JWRN_HUFF_BAD_CODE:     // libjpeg invents zeros
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:       // libjpeg skips or repeats blocks
    case JWRN_NOT_SEQUENTIAL:    // scans overlap
        fail("corrupt", what);
    default: return;             // bytes between markers, unknown versions of markers, gaps in the progression
    }
}

static void on_jpeg_progress(j_common_ptr jpeg) {
    if (((j_decompress_ptr)jpeg)->input_scan_number > MOST_SCANS) fail("image-too-large", "too many scans");
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
    if (!setjmp(escape)) {
        jpeg_create_decompress(&jpeg);
        progress.progress_monitor = on_jpeg_progress;
        jpeg.progress = &progress;
        jpeg_mem_src(&jpeg, bytes, count);
        jpeg_read_header(&jpeg, TRUE);
        if (jpeg.jpeg_color_space == JCS_UNKNOWN) fail("unsupported", "unknown colour space");
        int is_cmyk = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
        jpeg.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
        make_room(jpeg.image_width, jpeg.image_height);
        jpeg_start_decompress(&jpeg);
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
    if (count >= 8 && !png_sig_cmp(bytes, 0, 8)) {
        decode_png(bytes, count);
    } else if (count >= 3 && !memcmp(bytes, "\xFF\xD8\xFF", 3)) {
        decode_jpeg(bytes, count);
    } else {
        kind = "unsupported";
        snprintf(message, sizeof message, "neither PNG nor JPEG");
    }
    if (kind) {
        printf("error %s %s\n", kind, message);
    } else {
        printf("ok %zu %zu %016" PRIX64 "\n", width, height, hash());
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
