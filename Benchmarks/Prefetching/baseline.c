// The prefetch baseline in C: libcurl's multi interface and libjpeg-turbo, one thread per core. Each thread has its own
// transfers and decodes between two calls of curl_multi_perform.
//
//     baseline LIST IN_FLIGHT THREADS SIDE      SIDE is 0 to drop the bodies, or the longer side in pixels
//
// Prints the number of fetched files and the number of decoded pixels.

#define main decoding_main
#include "../Decoding/baseline.c"
#undef main

#include <curl/curl.h>

static char **urls;
static size_t url_count, in_flight;
static atomic_size_t next_url, fetched, pixels;
static uint32_t side_wanted;

typedef struct {
    CURL *easy;
    uint8_t *bytes;
    size_t count, capacity;
} Transfer;

static size_t receive(char *data, size_t size, size_t count, void *context) {
    Transfer *transfer = context;
    size_t more = size * count;
    if (!side_wanted) return more;
    if (transfer->count + more > transfer->capacity) {
        transfer->capacity = (transfer->count + more) * 2;
        transfer->bytes = realloc(transfer->bytes, transfer->capacity);
        if (!transfer->bytes) fail("out of memory");
    }
    memcpy(transfer->bytes + transfer->count, data, more);
    transfer->count += more;
    return more;
}

static int begin(CURLM *multi, Transfer *transfer) {
    size_t number = atomic_fetch_add(&next_url, 1);
    if (number >= url_count) return 0;
    transfer->count = 0;
    curl_easy_setopt(transfer->easy, CURLOPT_URL, urls[number]);
    curl_multi_add_handle(multi, transfer->easy);
    return 1;
}

static void finish(Transfer *transfer) {
    long status = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) fail("the server returned a status other than 200");
    atomic_fetch_add(&fetched, 1);
    if (!side_wanted) return;
    Picture picture = decode_jpeg((File){transfer->bytes, transfer->count}, side_wanted);
    atomic_fetch_add(&pixels, (size_t)picture.width * picture.height);
    free(picture.pixels);
}

static void *fetch(void *unused) {
    (void)unused;
    CURLM *multi = curl_multi_init();
    Transfer *transfers = calloc(in_flight, sizeof *transfers);
    if (!multi || !transfers) fail("out of memory");
    size_t running = 0;
    for (size_t index = 0; index < in_flight; index++) {
        Transfer *transfer = &transfers[index];
        transfer->easy = curl_easy_init();
        if (!transfer->easy) fail("out of memory");
        curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, receive);
        curl_easy_setopt(transfer->easy, CURLOPT_WRITEDATA, transfer);
        curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, transfer);
        curl_easy_setopt(transfer->easy, CURLOPT_NOSIGNAL, 1L);
        running += (size_t)begin(multi, transfer);
    }
    while (running) {
        int active, left;
        curl_multi_perform(multi, &active);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
            Transfer *transfer;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
            curl_multi_remove_handle(multi, transfer->easy);
            finish(transfer);
            running -= (size_t)!begin(multi, transfer);
        }
        if (running) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    for (size_t index = 0; index < in_flight; index++) {
        curl_easy_cleanup(transfers[index].easy);
        free(transfers[index].bytes);
    }
    free(transfers);
    curl_multi_cleanup(multi);
    return NULL;
}

static void read_list(const char *path) {
    FILE *stream = fopen(path, "r");
    char line[4096];
    if (!stream) fail(path);
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\n")] = 0;
        urls = realloc(urls, (url_count + 1) * sizeof *urls);
        if (!urls || !(urls[url_count++] = strdup(line))) fail("out of memory");
    }
    fclose(stream);
}

int main(int count, char **arguments) {
    if (count != 5) fail("usage: baseline LIST IN_FLIGHT THREADS SIDE");
    read_list(arguments[1]);
    unsigned thread_count = (unsigned)atoi(arguments[3]);
    if (thread_count < 1 || thread_count > 64) fail("THREADS must be from 1 to 64");
    in_flight = (size_t)atoi(arguments[2]) / thread_count;
    side_wanted = (uint32_t)atoi(arguments[4]);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    pthread_t threads[64];
    for (unsigned index = 1; index < thread_count; index++) pthread_create(&threads[index], NULL, fetch, NULL);
    fetch(NULL);
    for (unsigned index = 1; index < thread_count; index++) pthread_join(threads[index], NULL);
    printf("%zu %zu\n", (size_t)fetched, (size_t)pixels);
    return fetched == url_count ? 0 : 1;
}
