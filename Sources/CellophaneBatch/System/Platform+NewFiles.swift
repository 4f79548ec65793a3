internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Empty directories, and files that get a name only when they are complete.
extension Platform {
  /// Returns true if `path` is an empty directory, without hidden files. Reads only the first names.
  static func isEmptyDirectory(_ path: String) -> Bool {
    guard let stream = unsafe opendir(path) else { return false }
    defer { unsafe closedir(stream) }
    errno = 0
    while let item = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &item.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      // Some file systems list neither of these two.
      guard name == "." || name == ".." else { return false }
      errno = 0
    }
    return errno == 0
  }

  /// Creates a file without a name in `folder`. It disappears with the process unless it gets a name. Returns a negative
  /// number if the system or the file system does not support such files.
  static func openUnnamed(in folder: String) -> Int32 {
    #if canImport(Glibc)
      // __O_TMPFILE of <asm-generic/fcntl.h>, which needs O_DIRECTORY. Since Linux 3.11.
      openForWriting(folder, 0o20000000 | O_DIRECTORY | O_WRONLY)
    #else
      -1
    #endif
  }

  /// Gives a file of `openUnnamed(in:)` its name; returns false if that fails, or if the name exists.
  static func giveName(_ path: String, to descriptor: Int32) -> Bool {
    #if canImport(Glibc)
      // AT_EMPTY_PATH of <linux/fcntl.h>. Before Linux 6.10 it needs a capability and fails with ENOENT without it. The
      // way through /proc takes a tenth longer.
      if unsafe linkat(descriptor, "", AT_FDCWD, path, 0x1000) == 0 { return true }
      if errno != ENOENT { return false }
      return unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    #else
      false
    #endif
  }
}
