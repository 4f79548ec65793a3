// The decoding baseline in C: libjpeg-turbo, libpng, libwebp, giflib and libavif as their own examples use them, and a plain
// area average.
// `Benchmarks/decoding.py` writes commands to standard input and reads one line per command.
//
//     load PATH                      -> ok             Reads the file into memory. Files are numbered from 0.
//     run OPERATION FIRST END N      -> CPU WALL       Decodes those files once on N threads. In seconds.
//     save OPERATION NUMBER PATH     -> WIDTH HEIGHT   Writes the pixels as RGBA.
//     peak OPERATION NUMBER          -> BYTES          Peak memory of one decoding, minus the memory before it.
//
// OPERATION is `whole`, or the length of the longer side in pixels (JPEG, WebP and AVIF only).

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <avif/avif.h>
#include <gif_lib.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

typedef struct {
    uint8_t *bytes;
    size_t count;
} File;

typedef struct {
    uint8_t *pixels;
    uint32_t width, height;
} Picture;

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "baseline: %s\n", what);
    exit(1);
}

static void *take(size_t count) {
    void *memory = malloc(count);
    if (!memory) fail("out of memory");
    return memory;
}

// MARK: Area average

typedef float Pixel __attribute__((vector_size(16)));
typedef int32_t WholePixel __attribute__((vector_size(16)));

// The part of a source row that one pixel of the result covers: the first and the last pixel partly, the pixels
// between them completely.
typedef struct {
    uint32_t first, last;
    float head, tail;
} Coverage;

// Sums rows into columns first, which compilers vectorize. Then averages a complete band of rows from left to right.
typedef struct {
    Picture output;
    uint32_t width, row, output_row;
    float height, band; // the height of the source, and of the band that one row of the result covers
    float scale;
    float *sums;
    Coverage *columns;
} Average;

// `extent_width` and `extent_height` are the exact size of the image: it can fill its last column and row partly.
static Average average_start(uint32_t width, float extent_width, float extent_height, Picture output) {
    float step = extent_width / (float)output.width, band = extent_height / (float)output.height;
    Average average = {output, width, 0, 0, extent_height, band, 1 / (step * band), NULL, NULL};
    average.sums = calloc((size_t)width * 4, sizeof *average.sums);
    if (!average.sums) fail("out of memory");
    average.columns = take(output.width * sizeof *average.columns);
    for (uint32_t x = 0; x < output.width; x++) {
        float start = (float)x * step, end = (float)(x + 1) * step;
        Coverage *column = &average.columns[x];
        column->first = (uint32_t)start;
        column->last = (uint32_t)end < width ? (uint32_t)end : width - 1;
        if (column->first > column->last) column->first = column->last;
        column->head = (column->first == column->last ? end : (float)(column->first + 1)) - start;
        column->tail = column->first == column->last ? 0 : end - (float)column->last;
    }
    return average;
}

static Picture average_finish(Average *average) {
    free(average->sums);
    free(average->columns);
    return average->output;
}

static void average_finish_band(Average *average) {
    const Pixel *sums = (const Pixel *)average->sums; // malloc aligns to 16
    const Coverage *column = average->columns, *end = column + average->output.width;
    uint8_t *destination = average->output.pixels + (size_t)average->output_row++ * average->output.width * 4;
    for (; column < end; column++, destination += 4) {
        Pixel sum = sums[column->first] * column->head + sums[column->last] * column->tail;
        for (uint32_t x = column->first + 1; x < column->last; x++) sum += sums[x];
        sum = sum * average->scale + 0.5f;
        // Rounding errors are far below 0.5, so the mean cannot reach 256.
        WholePixel mean = __builtin_convertvector(sum, WholePixel);
        uint32_t packed = (uint32_t)(mean[0] | mean[1] << 8 | mean[2] << 16 | mean[3] << 24);
        memcpy(destination, &packed, 4);
    }
}

static void add_weighed(float *restrict sums, const uint8_t *restrict row, size_t count, float weight) {
    for (size_t index = 0; index < count; index++) sums[index] += (float)row[index] * weight;
}

static void set_weighed(float *restrict sums, const uint8_t *restrict row, size_t count, float weight) {
    for (size_t index = 0; index < count; index++) sums[index] = (float)row[index] * weight;
}

static void average_add(Average *average, const uint8_t *row) {
    size_t count = (size_t)average->width * 4;
    int is_last = average->output_row + 1 == average->output.height;
    float edge = is_last ? average->height : (float)(average->output_row + 1) * average->band;
    float top = (float)average->row++, bottom = top + 1 < average->height ? top + 1 : average->height;
    if (edge > bottom) {
        add_weighed(average->sums, row, count, bottom - top);
        return;
    }
    add_weighed(average->sums, row, count, edge - top);
    average_finish_band(average);
    if (!is_last) set_weighed(average->sums, row, count, bottom - edge);
}

// MARK: JPEG

static void on_jpeg_error(j_common_ptr jpeg) {
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    fail(message);
}

static void ignore_jpeg_message(j_common_ptr jpeg, int level) {
    (void)jpeg;
    (void)level;
}

static uint32_t side(uint32_t value, uint32_t longer, uint32_t wanted) {
    uint32_t scaled = (uint32_t)(((uint64_t)value * wanted + longer / 2) / longer);
    return scaled ? scaled : 1;
}

// The scale that Cellophane selects, so that both programs do the same work. See Framing.denominator(from:to:).
static const uint32_t oversampling = 2;

static uint32_t denominator(uint32_t width, uint32_t height, uint32_t output_width, uint32_t output_height) {
    for (uint32_t denominator = 8; denominator > 1; denominator /= 2) {
        uint32_t least = denominator * oversampling;
        if (width >= least * output_width && height >= least * output_height) return denominator;
    }
    return 1;
}

static Picture decode_jpeg(File file, uint32_t wanted) {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    errors.error_exit = on_jpeg_error;
    errors.emit_message = ignore_jpeg_message;
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, file.bytes, file.count);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_EXT_RGBA;
    uint32_t longer = jpeg.image_width > jpeg.image_height ? jpeg.image_width : jpeg.image_height;
    Average average;
    int reduces = wanted && wanted < longer;
    if (reduces) {
        uint32_t width = side(jpeg.image_width, longer, wanted), height = side(jpeg.image_height, longer, wanted);
        jpeg.scale_num = 1;
        jpeg.scale_denom = denominator(jpeg.image_width, jpeg.image_height, width, height);
        jpeg_start_decompress(&jpeg);
        Picture output = {take((size_t)width * height * 4), width, height};
        float scale = (float)jpeg.scale_denom;
        average = average_start(
            jpeg.output_width, (float)jpeg.image_width / scale, (float)jpeg.image_height / scale, output);
    } else {
        jpeg_start_decompress(&jpeg);
    }
    size_t stride = (size_t)jpeg.output_width * 4;
    Picture picture = {.width = jpeg.output_width, .height = jpeg.output_height};
    if (reduces) {
        // libjpeg-turbo uses non-temporal stores for rows that are aligned to 32 bytes. That is right for a complete
        // image. A row that is read immediately would have to come back from memory, which takes longer than to
        // decode it, so this row is not aligned.
        uint8_t *memory = take(stride + 63), *row = (uint8_t *)(((uintptr_t)memory + 31) / 32 * 32) + 16;
        while (jpeg.output_scanline < jpeg.output_height) {
            jpeg_read_scanlines(&jpeg, &row, 1);
            average_add(&average, row);
        }
        free(memory);
        picture = average_finish(&average);
    } else {
        picture.pixels = take(stride * jpeg.output_height);
        while (jpeg.output_scanline < jpeg.output_height) {
            JSAMPROW row = picture.pixels + jpeg.output_scanline * stride;
            jpeg_read_scanlines(&jpeg, &row, 1);
        }
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    return picture;
}

// MARK: PNG

static void on_png_error(png_structp png, png_const_charp message) {
    (void)png;
    fail(message);
}

static void ignore_png_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void read_png_bytes(png_structp png, png_bytep destination, size_t count) {
    File *rest = png_get_io_ptr(png);
    if (count > rest->count) png_error(png, "the file is truncated");
    memcpy(destination, rest->bytes, count);
    rest->bytes += count;
    rest->count -= count;
}

static Picture decode_png(File file) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_png_error, ignore_png_warning);
    png_infop info = png_create_info_struct(png);
    png_set_read_fn(png, &file, read_png_bytes);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    Picture picture = {.width = png_get_image_width(png, info), .height = png_get_image_height(png, info)};
    size_t stride = png_get_rowbytes(png, info);
    picture.pixels = take(stride * picture.height);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < picture.height; row++) png_read_row(png, picture.pixels + row * stride, NULL);
    }
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    return picture;
}

// MARK: WebP

// As dwebp does, with and without -resize.
static Picture decode_webp(File file, uint32_t wanted) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) fail("another version of libwebp");
    if (WebPGetFeatures(file.bytes, file.count, &config.input) != VP8_STATUS_OK) fail("not a WebP");
    uint32_t width = (uint32_t)config.input.width, height = (uint32_t)config.input.height;
    uint32_t longer = width > height ? width : height;
    if (wanted > 0 && longer > wanted) {
        width = side(width, longer, wanted);
        height = side(height, longer, wanted);
        config.options.use_scaling = 1;
        config.options.scaled_width = (int)width;
        config.options.scaled_height = (int)height;
    }
    config.output.colorspace = MODE_RGBA;
    if (WebPDecode(file.bytes, file.count, &config) != VP8_STATUS_OK) fail("a damaged WebP");
    Picture picture = {.pixels = take((size_t)width * height * 4), .width = width, .height = height};
    for (uint32_t row = 0; row < height; row++) {
        memcpy(picture.pixels + (size_t)row * width * 4, config.output.u.RGBA.rgba + (size_t)row * (size_t)config.output.u.RGBA.stride,
               (size_t)width * 4);
    }
    WebPFreeDecBuffer(&config.output);
    return picture;
}

// MARK: GIF

static int read_gif_bytes(GifFileType *gif, GifByteType *destination, int count) {
    File *rest = gif->UserData;
    size_t given = (size_t)count < rest->count ? (size_t)count : rest->count;
    memcpy(destination, rest->bytes, given);
    rest->bytes += given;
    rest->count -= given;
    return (int)given;
}

// The first frame of a file without transparency, whose frame has the size of the canvas.
static Picture decode_gif(File file) {
    int error;
    GifFileType *gif = DGifOpen(&file, read_gif_bytes, &error);
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    while (type != IMAGE_DESC_RECORD_TYPE) {
        if (!gif || DGifGetRecordType(gif, &type) != GIF_OK || type == TERMINATE_RECORD_TYPE) fail("not a GIF");
        if (type != EXTENSION_RECORD_TYPE) continue;
        int code;
        GifByteType *block;
        if (DGifGetExtension(gif, &code, &block) != GIF_OK) fail("a damaged GIF");
        while (block) DGifGetExtensionNext(gif, &block);
    }
    if (DGifGetImageDesc(gif) != GIF_OK || gif->Image.Interlace) fail("a damaged or interlaced GIF");
    ColorMapObject *map = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
    uint32_t width = (uint32_t)gif->Image.Width, height = (uint32_t)gif->Image.Height;
    Picture picture = {.pixels = take((size_t)width * height * 4), .width = width, .height = height};
    uint8_t *line = take(width), *pixel = picture.pixels;
    for (uint32_t row = 0; row < height; row++) {
        if (DGifGetLine(gif, line, (int)width) != GIF_OK) fail("a damaged GIF");
        for (uint32_t column = 0; column < width; column++, pixel += 4) {
            GifColorType color = map->Colors[line[column]];
            pixel[0] = color.Red;
            pixel[1] = color.Green;
            pixel[2] = color.Blue;
            pixel[3] = 255;
        }
    }
    free(line);
    DGifCloseFile(gif, &error);
    return picture;
}

// MARK: AVIF

// As avifdec does, with dav1d and one thread.
static Picture decode_avif(File file, uint32_t wanted) {
    avifDecoder *decoder = avifDecoderCreate();
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    decoder->maxThreads = 1;
    if (avifDecoderSetIOMemory(decoder, file.bytes, file.count) != AVIF_RESULT_OK ||
        avifDecoderParse(decoder) != AVIF_RESULT_OK || avifDecoderNextImage(decoder) != AVIF_RESULT_OK) {
        fail("a damaged AVIF");
    }
    avifRGBImage pixels;
    avifRGBImageSetDefaults(&pixels, decoder->image);
    pixels.depth = 8;
    pixels.format = AVIF_RGB_FORMAT_RGBA;
    pixels.rowBytes = pixels.width * 4;
    pixels.pixels = take((size_t)pixels.rowBytes * pixels.height);
    if (avifImageYUVToRGB(decoder->image, &pixels) != AVIF_RESULT_OK) fail("an AVIF without a conversion");
    avifDecoderDestroy(decoder);
    Picture picture = {.pixels = pixels.pixels, .width = pixels.width, .height = pixels.height};
    uint32_t longer = pixels.width > pixels.height ? pixels.width : pixels.height;
    if (wanted == 0 || longer <= wanted) return picture;
    uint32_t width = side(pixels.width, longer, wanted), height = side(pixels.height, longer, wanted);
    Picture output = {take((size_t)width * height * 4), width, height};
    Average average = average_start(pixels.width, (float)pixels.width, (float)pixels.height, output);
    for (uint32_t row = 0; row < pixels.height; row++) average_add(&average, picture.pixels + (size_t)row * pixels.rowBytes);
    free(picture.pixels);
    return average_finish(&average);
}

// MARK: Commands

static Picture decode(File file, uint32_t wanted) {
    switch (file.bytes[0]) {
    case 0: return decode_avif(file, wanted);
    case 0x89: return decode_png(file);
    case 'R': return decode_webp(file, wanted);
    case 'G': return decode_gif(file);
    default: return decode_jpeg(file, wanted);
    }
}

static File *files;
static size_t file_count;

typedef struct {
    atomic_size_t next;
    size_t end;
    uint32_t wanted;
} Work;

static void *work_off(void *argument) {
    Work *work = argument;
    size_t number;
    while ((number = atomic_fetch_add(&work->next, 1)) < work->end) free(decode(files[number], work->wanted).pixels);
    return NULL;
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run(uint32_t wanted, size_t first, size_t end, unsigned thread_count) {
    Work work = {.next = first, .end = end, .wanted = wanted};
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    pthread_t threads[64];
    for (unsigned index = 1; index < thread_count; index++) pthread_create(&threads[index], NULL, work_off, &work);
    work_off(&work);
    for (unsigned index = 1; index < thread_count; index++) pthread_join(threads[index], NULL);
    printf("%.9f %.9f\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall);
}

// Returns a value of /proc/self/status in bytes.
static long memory(const char *name) {
    char line[256];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) {
        if (!strncmp(line, name, strlen(name))) kilobytes = strtol(line + strlen(name), NULL, 10);
    }
    if (status) fclose(status);
    return kilobytes * 1024;
}

// Resets the peak that VmHWM reports.
static void forget_peak(void) {
    FILE *stream = fopen("/proc/self/clear_refs", "w");
    if (!stream || fputs("5", stream) < 0 || fclose(stream)) fail("/proc/self/clear_refs");
}

static void load(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (!stream || fseek(stream, 0, SEEK_END)) fail(path);
    File file = {.count = (size_t)ftell(stream)};
    rewind(stream);
    file.bytes = take(file.count);
    if (!file.count || fread(file.bytes, 1, file.count, stream) != file.count) fail(path);
    fclose(stream);
    files = realloc(files, (file_count + 1) * sizeof *files);
    if (!files) fail("out of memory");
    files[file_count++] = file;
    printf("ok\n");
}

static void save(Picture picture, const char *path) {
    FILE *stream = fopen(path, "wb");
    size_t count = (size_t)picture.width * picture.height * 4;
    if (!stream || fwrite(picture.pixels, 1, count, stream) != count || fclose(stream)) fail(path);
    free(picture.pixels);
    printf("%u %u\n", picture.width, picture.height);
}

int main(void) {
    char line[4096], operation[16], path[4096];
    size_t first, end;
    unsigned threads;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        // atoi("whole") is 0, which means full size.
        if (!strncmp(line, "load ", 5)) {
            load(line + 5);
        } else if (sscanf(line, "run %15s %zu %zu %u", operation, &first, &end, &threads) == 4 && end <= file_count
                   && threads <= 64) {
            run((uint32_t)atoi(operation), first, end, threads);
        } else if (sscanf(line, "save %15s %zu %4095s", operation, &first, path) == 3 && first < file_count) {
            save(decode(files[first], (uint32_t)atoi(operation)), path);
        } else if (sscanf(line, "peak %15s %zu", operation, &first) == 2 && first < file_count) {
            forget_peak();
            long before = memory("VmRSS:");
            free(decode(files[first], (uint32_t)atoi(operation)).pixels);
            printf("%ld\n", memory("VmHWM:") - before);
        } else {
            fail(line);
        }
        fflush(stdout);
    }
    return 0;
}
