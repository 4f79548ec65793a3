internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files that several processes share.
extension Platform {
  /// Opens a directory for locking; returns a negative number if that fails.
  static func openDirectory(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

  /// Returns the inode number of a directory; nil if it does not exist.
  static func number(ofDirectoryAt path: String) -> UInt64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// Opens an existing file for locking; returns a negative number if that fails.
  static func openToLock(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }

  /// Creates a file for appending and reading; returns a negative number if that fails, or if it exists.
  static func createFile(_ path: String) -> Int32 {
    openForWriting(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
  }

  /// Locks an open file or directory until it is closed; returns false if another process holds the lock, or if the file
  /// system has no locks.
  static func lock(_ descriptor: Int32, waits: Bool) -> Bool {
    while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Runs `body` while this process holds the lock on a directory.
  ///
  /// - Throws: ``LoadError/Kind/io`` if the directory cannot be locked, and the errors of `body`.
  static func withLock<Value>(
    on directory: String, _ body: () throws(LoadError) -> Value
  ) throws(LoadError) -> Value {
    let descriptor = openDirectory(directory)
    guard descriptor >= 0 else { throw LoadError(.io, "cannot open \(directory): \(reason(errno))") }
    // Releases the lock.
    defer { close(descriptor) }
    guard lock(descriptor, waits: true) else {
      throw LoadError(.io, "cannot lock \(directory): \(reason(errno))")
    }
    return try body()
  }

  /// Sets the length of an open file. A longer file ends with zeros that occupy no space.
  @discardableResult
  static func setLength(_ descriptor: Int32, to length: Int) -> Bool {
    ftruncate(descriptor, off_t(length)) == 0
  }

  /// Waits until the device has the content of an open file.
  static func synchronize(_ descriptor: Int32) -> Bool { fsync(descriptor) == 0 }

  /// Renames a file and replaces the target.
  static func move(_ path: String, to target: String) -> Bool { unsafe rename(path, target) == 0 }

  /// Removes an empty directory. Errors are ignored.
  static func removeDirectory(_ path: String) { unsafe rmdir(path) }

  /// Removes a file. Errors are ignored.
  static func remove(_ path: String) { unsafe unlink(path) }
}
