internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files: opening, reading and writing.
extension Platform {
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, bytes, count)
    #else
      unsafe Darwin.write(descriptor, bytes, count)
    #endif
  }

  @discardableResult
  static func close(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  /// Opens the file, pipe or device at `path`.
  ///
  /// - Parameter waits: True to wait until another process opens the other end of a named pipe.
  /// - Throws: ``LoadError/Kind/io`` if that fails, or if it is a directory.
  static func openForReading(_ path: String, waits: Bool = true) throws(LoadError) -> Int32 {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else {
      // The path may be a malformed URL with a password.
      let shown = path.contains(":") ? CanonicalURL.withoutUser(path) : path
      throw LoadError(.io, "cannot read \(shown): \(reason(errno))")
    }
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw LoadError(.io, "cannot read \(path): \(reason(EISDIR))")
    }
    return descriptor
  }

  /// Opens or creates the file at `path` with mode 0666 less the user's mask, as other tools do; returns a negative number
  /// if that fails.
  static func openForWriting(_ path: String, _ flags: Int32) -> Int32 {
    unsafe open(path, flags | O_CLOEXEC, 0o666)
  }

  /// Waits for an event on `descriptor`. A non-blocking descriptor needs this: the flag belongs to the open file, which
  /// other processes may share.
  ///
  /// - Parameter milliseconds: The maximum wait; negative for no limit.
  /// - Returns: False if the time elapsed before the event.
  @discardableResult
  static func wait(for descriptor: Int32, _ event: Int16, milliseconds: Int32 = -1) -> Bool {
    var wanted = pollfd(fd: descriptor, events: event, revents: 0)
    return unsafe poll(&wanted, 1, milliseconds) > 0
  }

  /// Returns true if there is data or an end of file within `seconds`.
  static func hasInput(_ descriptor: Int32, within seconds: Int32) -> Bool {
    wait(for: descriptor, Int16(POLLIN), milliseconds: seconds * 1_000)
  }

  /// Reads up to `count` bytes of an open file from `offset`; nil if that fails.
  static func read(_ descriptor: Int32, atMost count: Int, at offset: Int) -> [UInt8]? {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = unsafe pread(descriptor, buffer.baseAddress, count, off_t(offset))
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }

  /// Reads up to `count` next bytes; empty at the end of the file, nil if that fails.
  static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8]? {
    var result = -1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        #if canImport(Glibc)
          result = unsafe Glibc.read(descriptor, buffer.baseAddress, count)
        #else
          result = unsafe Darwin.read(descriptor, buffer.baseAddress, count)
        #endif
        if result >= 0 { break }
        if errno == EAGAIN { wait(for: descriptor, Int16(POLLIN)) } else if errno != EINTR { break }
      }
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }
}
