// System calls that Swift cannot make: they are variadic, or declared only under feature macros.
#pragma once
#include <errno.h>
#include <stddef.h>
#include <sys/types.h>

#if defined(__linux__)
#include <unistd.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif
#else
#include <stdio.h>
#endif

#pragma clang assume_nonnull begin

/// Opens a file with `flags` if this requires no access to a device. Otherwise returns -1 with EAGAIN, or ENOSYS
/// without support of the system. Linux 5.12.
static inline int files_open_cached(int directory, const char *name, int flags) {
#if defined(__linux__) && defined(RESOLVE_CACHED) && defined(SYS_openat2)
  struct open_how how = {.flags = (unsigned)flags, .resolve = RESOLVE_CACHED};
  return (int)syscall(SYS_openat2, directory, name, &how, sizeof how);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Reads from the start of a file. Unless `may_wait`, returns -1 instead of waiting for a device. Linux 4.14.
static inline ssize_t files_read_cached(int file, void *buffer, size_t count, int may_wait) {
#if defined(__linux__) && defined(SYS_preadv2)
  struct iovec part = {buffer, count};
  // The offset has two halves; RWF_NOWAIT is 8.
  return syscall(SYS_preadv2, file, &part, 1, 0L, 0L, may_wait ? 0 : 0x00000008);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Returns true on tmpfs, whose files have no device.
static inline int files_are_in_memory(int directory) {
#if defined(__linux__)
  struct statfs system;
  // The magic number of tmpfs, statfs(2).
  return fstatfs(directory, &system) == 0 && system.f_type == 0x01021994;
#else
  return 0;
#endif
}

/// Renames a file within a directory. Returns -1 with EEXIST if the new name exists, or with EINVAL or ENOSYS without
/// support of the file system.
static inline int files_rename_new(int directory, const char *name, const char *new_name) {
#if defined(__linux__) && defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, directory, name, directory, new_name, 1u);
#elif defined(__APPLE__)
  return renameatx_np(directory, name, directory, new_name, RENAME_EXCL);
#else
  errno = ENOSYS;
  return -1;
#endif
}

/// Exchanges two names within a directory. Returns -1 with ENOENT if one is missing, or with EINVAL or ENOSYS without
/// support of the file system.
static inline int files_exchange(int directory, const char *name, const char *other_name) {
#if defined(__linux__) && defined(SYS_renameat2)
  return (int)syscall(SYS_renameat2, directory, name, directory, other_name, 2u);
#elif defined(__APPLE__)
  return renameatx_np(directory, name, directory, other_name, RENAME_SWAP);
#else
  errno = ENOSYS;
  return -1;
#endif
}

#pragma clang assume_nonnull end
