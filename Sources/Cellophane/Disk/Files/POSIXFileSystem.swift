#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The file system of the machine. Nothing is synchronised to the device: see ``DiskCache``.
public struct POSIXFileSystem: FileSystem {
  /// Waits a millisecond for somebody who holds a lock.
  private let pause: @Sendable () -> Void

  /// The file system of the machine.
  public init() { self.init { usleep(1_000) } }

  /// One that does something else while somebody holds a lock.
  package init(pause: @escaping @Sendable () -> Void) { self.pause = pause }

  /// `mkdir` with mode 0700, from the first missing directory down, and `open`, which follows no link at the
  /// end of the path; then `fstat`, so that what is checked is what is used.
  public func directory(at path: String, isMade: Bool) throws(FileSystemError) -> any FileDirectory {
    var path = path
    // A link with a slash behind it would be followed.
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if isMade { try make(path) }
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFLNK: throw FileSystemError(.untrusted, operation: "use", path: path)
      case S_IFDIR: break
      // Nothing is found there; but who wants to write must know why that is so.
      default: if isMade { throw FileSystemError(.notADirectory, operation: "use", path: path) }
      }
    }
    let descriptor = try POSIXDescriptor(opening: path, O_RDONLY | O_DIRECTORY, failing: "open")
    status = try descriptor.status(of: path)
    // 022: writable by the group or by everybody.
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw FileSystemError(.untrusted, operation: "use", path: path)
    }
    return POSIXDirectory(descriptor, path: path, status, pause: pause)
  }

  private func make(_ path: String) throws(FileSystemError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    if errno == ENOTDIR { throw FileSystemError(.notADirectory, operation: "make the directory", path: path) }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw FileSystemError(errno: errno, operation: "make the directory", path: path)
    }
    try make(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw FileSystemError(errno: errno, operation: "make the directory", path: path)
    }
  }
}

/// An open file or directory, closed with the value.
struct POSIXDescriptor: ~Copyable {
  let number: Int32

  /// Not to follow a link at the end of the path, nor to stay open when another program is started.
  /// O_NONBLOCK: a pipe at this name must not make the open wait for a writer; regular files ignore it.
  static let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

  /// Takes over an open descriptor.
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
  /// What an error number of the system means.
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
