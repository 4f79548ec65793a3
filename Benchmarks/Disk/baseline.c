// The disk baseline in C: a cache of plain files with the minimum of system calls. `Benchmarks/disk.py` writes
// commands to standard input and reads one line per command.
//
//     put DIR FIRST COUNT TASKS   -> CPU WALL   Writes COUNT entries of 20 KB: open with O_EXCL, write, close, rename.
//     get DIR FIRST COUNT TASKS   -> CPU WALL   Reads them: open, fstat, read, close, XXH3 over all bytes.
//
// CPU and WALL are in seconds. This program has no tasks and ignores TASKS.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { SIZE = 20480, END = 300 };

static _Noreturn void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// Writes a path whose length equals that of Cellophane: the hash of a key.
static void name(char *path, size_t size, const char *directory, int number) {
    XXH128_hash_t hash = XXH3_128bits(&number, sizeof number);
    snprintf(path, size, "%s/%016llx%016llx-2", directory, (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
}

static void put(const char *directory, int number, const uint8_t *bytes) {
    char temporary[4096], path[4096];
    snprintf(temporary, sizeof temporary, "%s/tmp-%x", directory, number);
    name(path, sizeof path, directory, number);
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) fail("open");
    if (write(file, bytes, SIZE + END) != SIZE + END) fail("write");
    if (close(file) || rename(temporary, path)) fail("rename");
}

static uint64_t get(const char *directory, int number, uint8_t *bytes) {
    char path[4096];
    name(path, sizeof path, directory, number);
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) || status.st_size != SIZE + END) fail("open");
    if (read(file, bytes, status.st_size) != status.st_size) fail("read");
    close(file);
    return XXH3_64bits(bytes, status.st_size);
}

int main(void) {
    char operation[8], directory[4000];
    int first, count, tasks;
    uint8_t *bytes = malloc(SIZE + END);
    volatile uint64_t sum = 0;
    while (scanf("%7s %3999s %d %d %d", operation, directory, &first, &count, &tasks) == 5) {
        for (int i = 0; i < SIZE + END; i++) bytes[i] = i * 31;
        mkdir(directory, 0700);
        double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
        for (int number = first; number < first + count; number++) {
            if (operation[0] == 'p') put(directory, number, bytes);
            else sum += get(directory, number, bytes);
        }
        printf("%.9f %.9f\n", now(CLOCK_PROCESS_CPUTIME_ID) - cpu, now(CLOCK_MONOTONIC) - wall);
        fflush(stdout);
    }
}
