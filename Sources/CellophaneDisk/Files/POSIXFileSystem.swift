#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The file system of the machine. Files are not synchronized to the device: see ``DiskCache``.
package struct POSIXFileSystem: FileSystem {
  /// Waits a millisecond between attempts to take a lock.
  private let pause: @Sendable () -> Void

  /// Creates the file system of the machine.
  package init() { self.init { usleep(1_000) } }

  /// Creates a file system that calls `pause` between attempts to take a lock.
  package init(pause: @escaping @Sendable () -> Void) { self.pause = pause }

  /// Uses `mkdir` with mode 0700 for the missing directories, and `open` without following a link at the end
  /// of the path. `fstat` on the descriptor then checks exactly the directory that is used.
  package func directory(at path: String, creating: Bool) throws(FileSystemError) -> any FileDirectory {
    var path = path
    // A link followed by a slash would be followed.
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if creating { try create(path) }
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFLNK: throw FileSystemError(.untrusted, operation: "use", path: path)
      case S_IFDIR: break
      // A lookup finds nothing there, but a writer needs the reason.
      default: if creating { throw FileSystemError(.notADirectory, operation: "use", path: path) }
      }
    }
    let descriptor = try POSIXDescriptor(opening: path, O_RDONLY | O_DIRECTORY, failing: "open")
    status = try descriptor.status(of: path)
    // 022: writable by the group or by others.
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw FileSystemError(.untrusted, operation: "use", path: path)
    }
    return POSIXDirectory(descriptor, path: path, status, pause: pause)
  }

  private func create(_ path: String) throws(FileSystemError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    if errno == ENOTDIR {
      throw FileSystemError(.notADirectory, operation: "create the directory", path: path)
    }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw FileSystemError(errno: errno, operation: "create the directory", path: path)
    }
    try create(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw FileSystemError(errno: errno, operation: "create the directory", path: path)
    }
  }
}

/// An open file or directory; closed with the value.
struct POSIXDescriptor: ~Copyable {
  let number: Int32

  /// Does not follow a link at the end of the path, and closes the descriptor when another program is
  /// started. O_NONBLOCK: opening a named pipe must not wait for a writer; regular files ignore the flag.
  static let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  /// Takes ownership of an open descriptor.
  init(_ number: Int32) { self.number = number }

  /// Opens `path` relative to `directory`.
  init(
    opening path: String, in directory: Int32 = AT_FDCWD, _ flags: Int32, failing operation: String
  ) throws(FileSystemError) {
    let flags = flags | Self.flags
    while true {
      #if canImport(Darwin)
        let file = unsafe Darwin.openat(directory, path, flags, 0o600)
      #elseif canImport(Musl)
        let file = unsafe Musl.openat(directory, path, flags, 0o600)
      #else
        let file = unsafe Glibc.openat(directory, path, flags, 0o600)
      #endif
      if file >= 0 {
        number = file
        return
      }
      guard errno == EINTR else {
        throw FileSystemError(errno: errno, operation: operation, path: path)
      }
    }
  }

  deinit { close(number) }

  func status(of path: String) throws(FileSystemError) -> stat {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else {
      throw FileSystemError(errno: errno, operation: "read", path: path)
    }
    return status
  }
}

extension FileSystemError {
  /// Creates the error for an `errno`.
  init(errno code: Int32, operation: String, path: String) {
    let kind: Kind =
      switch code {
      case ENOENT, ENOTDIR: .notFound
      case EEXIST: .exists
      case EACCES, EPERM: .denied
      case EROFS: .readOnly
      case ENOSPC, EDQUOT: .full
      // ENXIO: a socket.
      case EISDIR, ELOOP, ENXIO: .notAFile
      default: .system(code)
      }
    self.init(kind, operation: operation, path: path)
  }
}
