internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files of which several processes must not use the same.
extension Platform {
  /// Why the last call failed that did.
  static var lastError: Int32 { errno }

  /// Opens a directory to lock it; returns a negative number when that is not possible.
  static func openDirectory(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

  /// Opens what is there to lock it; returns a negative number when that is not possible.
  static func openToLock(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }

  /// Makes a file that is not there yet, and is written from end to end; returns a negative number when that is not
  /// possible.
  static func createFile(_ path: String) -> Int32 {
    openForWriting(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
  }

  /// Locks an open file or directory until it is closed; false when another process has it, or when there are no locks.
  static func lock(_ descriptor: Int32, waits: Bool) -> Bool {
    while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Runs `body` while no other process does that asks for the same directory.
  ///
  /// - Throws: ``LoadError/Kind/io`` when it cannot be locked, and what `body` throws.
  static func alone<Value>(
    in directory: String, _ body: () throws(LoadError) -> Value
  ) throws(LoadError) -> Value {
    let descriptor = openDirectory(directory)
    guard descriptor >= 0 else { throw LoadError(.io, "cannot open \(directory): \(reason(errno))") }
    // Which unlocks it.
    defer { close(descriptor) }
    guard lock(descriptor, waits: true) else {
      throw LoadError(.io, "cannot lock \(directory): \(reason(errno))")
    }
    return try body()
  }

  /// Makes an open file so long: what lies behind is gone, what is lacking are zeros, which take no room.
  @discardableResult
  static func setLength(_ descriptor: Int32, to length: Int) -> Bool {
    ftruncate(descriptor, off_t(length)) == 0
  }

  /// Waits until what was written to an open file is on the device.
  static func settle(_ descriptor: Int32) -> Bool { fsync(descriptor) == 0 }

  /// Moves a file to where it replaces another.
  static func move(_ path: String, to target: String) -> Bool { unsafe rename(path, target) == 0 }

  /// Removes a directory, if it is there and empty.
  static func removeDirectory(_ path: String) { unsafe rmdir(path) }

  /// Removes a file, if it is there.
  static func remove(_ path: String) { unsafe unlink(path) }
}
