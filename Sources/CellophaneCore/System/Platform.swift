#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Wrappers of system calls that the modules of the tool share: open descriptors and error numbers.
///
/// The modules above add what only they need.
package enum Platform {
  /// Writes all of `bytes`; returns 0, or the error number of the write that failed.
  @discardableResult
  package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { unsafe writeSome(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.extracting(droppingFirst: written)
      } else if errno == EAGAIN {
        wait(for: descriptor, Int16(POLLOUT))
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  @discardableResult
  package static func close(_ descriptor: Int32) -> Int32 { closeDescriptor(descriptor) }

  /// Opens the file, pipe or device at `path`.
  ///
  /// - Parameter waits: True to wait until another process opens the other end of a named pipe.
  /// - Throws: ``LoadError/Kind/io`` if that fails, or if it is a directory.
  package static func openForReading(_ path: String, waits: Bool = true) throws(LoadError) -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else {
      // The path may be a malformed URL with a password.
      let shown = path.contains(":") ? CanonicalURL.withoutUser(path) : path
      let isURL = path.hasPrefix("http://") || path.hasPrefix("https://")
      throw LoadError(
        .io,
        "cannot read \(shown): \(reason(errno))"
          + (isURL
            ? "; this is a URL, not the path of a file; save its content, and give the path of that file"
            : ""))
    }
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw LoadError(.io, "cannot read \(path): \(reason(EISDIR))")
    }
    return descriptor
  }

  /// Waits for an event on `descriptor`, which may be non-blocking. That flag cannot be cleared instead: it belongs to
  /// the open file, which other processes may share.
  ///
  /// - Parameter milliseconds: The maximum wait; negative for no limit.
  /// - Returns: False if the time elapsed or a signal arrived before the event.
  @discardableResult
  package static func wait(for descriptor: Int32, _ event: Int16, milliseconds: Int32 = -1) -> Bool {
    var wanted = pollfd(fd: descriptor, events: event, revents: 0)
    return unsafe poll(&wanted, 1, milliseconds) > 0
  }

  /// Reads up to `count` next bytes; empty at the end of the file, nil if that fails.
  package static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8]? {
    var result = -1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        result = unsafe readSome(descriptor, buffer.baseAddress, count)
        if result >= 0 { break }
        if errno == EAGAIN { wait(for: descriptor, Int16(POLLIN)) } else if errno != EINTR { break }
      }
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }

  /// The error number of the last failed call.
  package static var lastError: Int32 { errno }

  /// Returns the meaning of an error number.
  package static func reason(_ error: Int32) -> String {
    switch error {
    case ENOENT: "no such file or directory"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case EEXIST: "something else with this name exists"
    case ENOTDIR: "a part of the path is not a directory"
    case ENOSPC: "the disk is full"
    case ENAMETOOLONG: "the name is too long"
    case EROFS: "the disk is read-only"
    case EMFILE, ENFILE: "too many files are open"
    default: unsafe String(cString: strerror(error))
    }
  }
}

// Outside of the type, whose methods of the same names hide the system calls.

private func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

private func readSome(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, bytes, count)
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
