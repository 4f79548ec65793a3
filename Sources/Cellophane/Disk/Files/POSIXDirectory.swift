internal import CFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory by its descriptor: what is swapped at its path cannot lead a write elsewhere, and a name in it
/// is found faster than a path.
final class POSIXDirectory: FileDirectory {
  let descriptor: POSIXDescriptor
  private let path: String
  private let device: dev_t
  private let number: ino_t
  /// Whose it is, and whose the files in it must be.
  let owner: uid_t
  /// True where the files have no device: tmpfs does not know `RWF_NOWAIT`, nor what there would be to wait for.
  let isInMemory: Bool
  /// Between two attempts to take a lock.
  let pause: @Sendable () -> Void

  init(
    _ descriptor: consuming POSIXDescriptor, path: String, _ status: stat,
    pause: @escaping @Sendable () -> Void
  ) {
    self.pause = pause
    self.descriptor = descriptor
    self.path = path
    device = status.st_dev
    number = status.st_ino
    owner = status.st_uid
    isInMemory = files_are_in_memory(self.descriptor.number) != 0
  }

  var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Duration(time)
  }

  var isInPlace: Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == number
  }

  /// `fstatat`.
  func entry(_ name: String) throws(FileSystemError) -> FileEntry {
    var status = stat()
    guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw failure("read", name)
    }
    return FileEntry(
      name: name, size: Int(status.st_size), used: status.modified, isRegular: status.isFile(of: owner))
  }

  /// `openat` with `O_EXCL` and mode 0600, then one `writev`, which copies none of the parts.
  func create(_ name: String, _ parts: [[UInt8]]) throws(FileSystemError) {
    let file = try open(name, O_WRONLY | O_CREAT | O_EXCL, to: "create")
    let written = unsafe Self.withVectors(of: parts[...]) { unsafe writev(file.number, $0, Int32($0.count)) }
    var offset = 0
    for part in parts {
      // Nothing is left, unless the device is full or a signal came.
      let begun = min(max(0, written - offset), part.count)
      try write(part[begun...], to: file, at: offset + begun, name)
      offset += part.count
    }
  }

  private static func withVectors<R>(
    of parts: ArraySlice<[UInt8]>, after vectors: [iovec] = unsafe [], _ body: ([iovec]) -> R
  ) -> R {
    guard let part = parts.first else { return unsafe body(vectors) }
    return unsafe part.withUnsafeBytes { bytes in
      let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      let vector = unsafe iovec(iov_base: start, iov_len: bytes.count)
      return unsafe withVectors(of: parts.dropFirst(), after: vectors + [vector], body)
    }
  }

  /// `renameat2` that replaces nothing; where the name is taken, one that exchanges the two, so that what was there
  /// can be looked at before it is removed. ext4 starts writing the file to the device, and waits for it, in a
  /// rename that replaces one: milliseconds.
  func rename(_ name: String, to newName: String) throws(FileSystemError) -> Int? {
    for _ in 0..<2 {
      if unsafe files_rename_new(descriptor.number, name, newName) == 0 { return nil }
      guard errno == EEXIST else { break }
      if unsafe files_exchange(descriptor.number, name, newName) == 0 {
        return try removeExchanged(name, for: newName)
      }
      // Somebody took it away.
      guard errno == ENOENT else { break }
    }
    // Somebody else stores and removes under this name all the time, or the file system cannot do the above.
    guard unsafe renameat(descriptor.number, name, descriptor.number, newName) == 0 else {
      throw failure("rename", name)
    }
    return nil
  }

  private func removeExchanged(_ name: String, for newName: String) throws(FileSystemError) -> Int? {
    let old = try entry(name)
    if unsafe unlinkat(descriptor.number, name, 0) == 0 { return old.isRegular ? old.size : nil }
    // A directory, as a rule.
    unsafe files_exchange(descriptor.number, name, newName)
    throw FileSystemError(.notAFile, operation: "rename", path: path(name))
  }

  /// `unlinkat`, also for an empty directory.
  func remove(_ name: String) throws(FileSystemError) {
    if unsafe unlinkat(descriptor.number, name, 0) == 0 { return }
    // Linux answers EISDIR for a directory, POSIX and Darwin EPERM.
    if errno == EISDIR || errno == EPERM,
      unsafe unlinkat(descriptor.number, name, Int32(AT_REMOVEDIR)) == 0
    {
      return
    }
    throw failure("remove", name)
  }

  /// `utimensat`, to the nanosecond: the time that the system itself would set has the resolution of its timer
  /// tick, too coarse to order two uses.
  func setUsed(_ name: String, at time: Duration) throws(FileSystemError) {
    let (seconds, attoseconds) = time.components
    let stamp = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    let times = [stamp, stamp]
    guard unsafe utimensat(descriptor.number, name, times, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw failure("date", name)
    }
  }

  /// `readdir`, and `fstatat` for each name.
  func list() throws(FileSystemError) -> any FileListing {
    try POSIXListing(of: self, path: path)
  }

  func open(_ name: String, _ flags: Int32, to operation: String) throws(FileSystemError) -> POSIXDescriptor {
    do throws(FileSystemError) {
      return try POSIXDescriptor(opening: name, in: descriptor.number, flags, failing: operation)
    } catch {
      throw FileSystemError(error.kind, operation: operation, path: path(name))
    }
  }

  func write(
    _ bytes: ArraySlice<UInt8>, to file: borrowing POSIXDescriptor, at offset: Int, _ name: String
  ) throws(FileSystemError) {
    var written = 0
    while written < bytes.count {
      let put = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe pwrite(file.number, rest.baseAddress, rest.count, off_t(offset + written))
      }
      if put > 0 { written += put } else if errno != EINTR { throw failure("write", name) }
    }
  }

  func failure(_ operation: String, _ name: String) -> FileSystemError {
    FileSystemError(errno: errno, operation: operation, path: path(name))
  }

  func path(_ name: String) -> String { path + "/" + name }
}

extension stat {
  /// Whether it is a regular file that `user` made, under no second name: what others made, or may reach by another
  /// name, was perhaps put here while they could write here. One that was removed while open has no name.
  func isFile(of user: uid_t) -> Bool { st_mode & S_IFMT == S_IFREG && st_uid == user && st_nlink <= 1 }

  /// When its contents changed last, or the time that was set.
  var modified: Duration {
    #if canImport(Darwin)
      Duration(st_mtimespec)
    #else
      Duration(st_mtim)
    #endif
  }
}

extension Duration {
  fileprivate init(_ time: timespec) {
    self = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
