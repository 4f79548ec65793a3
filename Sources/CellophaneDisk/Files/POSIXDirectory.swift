internal import CFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A directory held by its descriptor. If its path is replaced, writes still go to the opened directory.
/// Lookups are also faster than by path.
final class POSIXDirectory: FileDirectory {
  let descriptor: POSIXDescriptor
  private let path: String
  private let device: dev_t
  private let number: ino_t
  /// The owner of the directory, who must also own the files in it.
  let owner: uid_t
  /// True for a file system without a device: tmpfs supports no `RWF_NOWAIT` and never has to wait.
  let isInMemory: Bool
  /// The wait between two attempts to take a lock.
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

  /// Uses `fstatat`.
  func entry(_ name: String) throws(FileSystemError) -> FileEntry {
    var status = stat()
    guard unsafe fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw failure("read", name)
    }
    return FileEntry(
      name: name, size: Int(status.st_size), used: status.modified, isRegular: status.isFile(of: owner))
  }

  /// Uses `openat` with `O_EXCL` and mode 0600, then one `writev`, which copies none of the parts.
  func create(_ name: String, _ parts: [[UInt8]]) throws(FileSystemError) {
    let file = try open(name, O_WRONLY | O_CREAT | O_EXCL, to: "create")
    let written = unsafe Self.withVectors(of: parts[...]) { unsafe writev(file.number, $0, Int32($0.count)) }
    var offset = 0
    for part in parts {
      // The rest is empty unless the device is full or a signal interrupted the write.
      let start = min(max(0, written - offset), part.count)
      try write(part[start...], to: file, at: offset + start, name)
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

  /// Uses `renameat2` without replacement. If the name exists, it exchanges the two files, so that the replaced
  /// file can be measured before it is removed.
  ///
  /// A replacing rename is avoided: on ext4 it starts writing the file to the device and waits for
  /// milliseconds.
  func rename(_ name: String, to newName: String) throws(FileSystemError) -> Int? {
    for _ in 0..<2 {
      if unsafe files_rename_new(descriptor.number, name, newName) == 0 { return nil }
      guard errno == EEXIST else { break }
      if unsafe files_exchange(descriptor.number, name, newName) == 0 {
        return try removeExchanged(name, for: newName)
      }
      // Another process removed the file.
      guard errno == ENOENT else { break }
    }
    // Another process keeps replacing this name, or the file system does not support these flags.
    guard unsafe renameat(descriptor.number, name, descriptor.number, newName) == 0 else {
      throw failure("rename", name)
    }
    return nil
  }

  private func removeExchanged(_ name: String, for newName: String) throws(FileSystemError) -> Int? {
    let replaced = try entry(name)
    if unsafe unlinkat(descriptor.number, name, 0) == 0 { return replaced.isRegular ? replaced.size : nil }
    // Usually a directory.
    unsafe files_exchange(descriptor.number, name, newName)
    throw FileSystemError(.notAFile, operation: "rename", path: path(name))
  }

  /// Uses `unlinkat`, also for an empty directory.
  func remove(_ name: String) throws(FileSystemError) {
    if unsafe unlinkat(descriptor.number, name, 0) == 0 { return }
    // Linux returns EISDIR for a directory, POSIX and Darwin EPERM.
    if errno == EISDIR || errno == EPERM,
      unsafe unlinkat(descriptor.number, name, Int32(AT_REMOVEDIR)) == 0
    {
      return
    }
    throw failure("remove", name)
  }

  /// Uses `utimensat` with nanoseconds. The time that the system itself sets has the resolution of its timer
  /// tick, which is too coarse to order two uses.
  func setUsed(_ name: String, at time: Duration) throws(FileSystemError) {
    let (seconds, attoseconds) = time.components
    let stamp = timespec(tv_sec: time_t(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    let times = [stamp, stamp]
    guard unsafe utimensat(descriptor.number, name, times, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw failure("set the time of", name)
    }
  }

  /// Uses `readdir`, and `fstatat` for each name.
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
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe pwrite(file.number, rest.baseAddress, rest.count, off_t(offset + written))
      }
      if count > 0 { written += count } else if errno != EINTR { throw failure("write", name) }
    }
  }

  func failure(_ operation: String, _ name: String) -> FileSystemError {
    FileSystemError(errno: errno, operation: operation, path: path(name))
  }

  func path(_ name: String) -> String { path + "/" + name }
}

extension stat {
  /// Returns whether this is a regular file of `user` without further hard links. Files of other users, or
  /// files reachable by another name, may have been planted while the directory was writable for others. A
  /// file that was removed while open has no name.
  func isFile(of user: uid_t) -> Bool { st_mode & S_IFMT == S_IFREG && st_uid == user && st_nlink <= 1 }

  /// The modification time, which may have been set explicitly.
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
