package import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files behind paths and descriptors.
extension Platform {
  /// The target of a write.
  enum WriteTarget {
    /// A file, with its resolved path and its mode; nil for a file that does not exist.
    case file(path: String, mode: mode_t?)
    /// A device, a pipe, a directory, or a link to a missing file.
    case other
  }

  /// Returns the target of a write to `path`.
  static func target(at path: String) -> WriteTarget {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return unsafe lstat(path, &status) == 0 ? .other : .file(path: path, mode: nil)
    }
    guard status.st_mode & S_IFMT == S_IFREG, let resolved = unsafe realpath(path, nil) else { return .other }
    defer { unsafe free(resolved) }
    return unsafe .file(path: String(cString: resolved), mode: status.st_mode & 0o7777)
  }

  /// Returns the length of an open file in bytes; nil for a pipe or device.
  static func size(ofFile descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Returns the length of the file at `path` in bytes; nil if there is no file.
  package static func size(ofFileAt path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Returns true if a write may block until a reader reads: for a pipe, a socket or a terminal.
  static func mayBlock(writingTo descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return true }
    let kind = status.st_mode & S_IFMT
    return kind != S_IFREG && (kind != S_IFCHR || isatty(descriptor) != 0)
  }

  /// Returns true if both paths lead to the same file, now or after both are written.
  package static func areSame(_ first: String, _ second: String) -> Bool {
    var one = stat()
    var other = stat()
    guard unsafe stat(first, &one) == 0, unsafe stat(second, &other) == 0 else {
      return first == second || resolved(first).map { $0 == resolved(second) } ?? false
    }
    return one.st_mode & S_IFMT == S_IFREG && one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Returns the path of a missing file with its directory resolved; nil if the directory does not exist.
  private static func resolved(_ path: String) -> String? {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = end == path.startIndex ? "." : String(path[..<end])
    guard let real = unsafe realpath(folder, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real) + "/" + path[end...]
  }

  /// Returns whether `path` is a directory; nil if nothing is there, or if the system does not report it.
  package static func isDirectory(_ path: String) -> Bool? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns true if `descriptor` is the file at `path`.
  static func isFile(_ descriptor: Int32, at path: String) -> Bool {
    var first = stat()
    var second = stat()
    return unsafe fstat(descriptor, &first) == 0 && first.st_mode & S_IFMT == S_IFREG
      && stat(path, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
