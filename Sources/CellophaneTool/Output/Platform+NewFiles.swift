#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Folders in which nothing is, and files that have no name before they are whole.
extension Platform {
  /// True when `path` is a directory in which nothing is, hidden files included. Reads the first few names alone.
  static func isEmptyDirectory(_ path: String) -> Bool {
    guard let stream = unsafe opendir(path) else { return false }
    defer { unsafe closedir(stream) }
    errno = 0
    while let item = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &item.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      // Some file systems list neither.
      guard name == "." || name == ".." else { return false }
      errno = 0
    }
    return errno == 0
  }

  /// Makes a file in `folder` that has no name, and is gone with the process unless it gets one; returns a negative number
  /// where the system or the file system knows no such files.
  static func openUnnamed(in folder: String) -> Int32 {
    #if canImport(Glibc)
      // __O_TMPFILE of <asm-generic/fcntl.h>, which is nothing without O_DIRECTORY. Linux 3.11.
      openForWriting(folder, 0o20000000 | O_DIRECTORY | O_WRONLY)
    #else
      -1
    #endif
  }

  /// Gives that file a name; false when something has it, or when that is not possible.
  static func giveName(_ path: String, to descriptor: Int32) -> Bool {
    #if canImport(Glibc)
      // AT_EMPTY_PATH of <linux/fcntl.h>. Before Linux 6.10 it takes a capability, without which nothing is found; /proc
      // takes a tenth longer.
      if unsafe linkat(descriptor, "", AT_FDCWD, path, 0x1000) == 0 { return true }
      if errno != ENOENT { return false }
      return unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    #else
      false
    #endif
  }
}
