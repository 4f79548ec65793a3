#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The file system of the machine. Nothing is synchronised to the device: see ``DiskCache``.
///
/// Files are opened without following a link at their name and are closed when another program is started.
public struct POSIXFileSystem: FileSystem {
  /// The file system of the machine.
  public init() {}

  /// `mkdir` with mode 0700, from the first missing directory down.
  public func makeDirectory(at path: String) throws(FileSystemError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw failure("make the directory", path)
    }
    try makeDirectory(at: String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("make the directory", path) }
  }

  /// `open`, `fstat`, one `pread` into an array of the right size, `futimens`.
  public func use(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
    let file = try open(path, O_RDONLY, to: "read")
    defer { close(file) }
    let size = try size(of: file, path)
    guard size <= limit else { throw FileSystemError(.tooLarge, operation: "read", path: path) }
    let contents = try read(file, count: size, at: 0, path)
    stampTimes(of: file)
    return contents
  }

  /// `open`, `fstat`, one `pread`.
  public func end(of path: String, count: Int) throws(FileSystemError) -> [UInt8] {
    let file = try open(path, O_RDONLY, to: "read")
    defer { close(file) }
    let size = try size(of: file, path)
    return try read(file, count: min(size, count), at: max(0, size - count), path)
  }

  /// `open` with `O_EXCL` and mode 0600, and `ftruncate`, which takes no space yet. The name ends in a random
  /// number.
  public func createTemporary(prefix: String, size: Int) throws(FileSystemError) -> String {
    let path = prefix + String(UInt64.random(in: .min ... .max), radix: 16)
    let file = try open(path, O_WRONLY | O_CREAT | O_EXCL, to: "create")
    defer { close(file) }
    guard ftruncate(file, off_t(size)) == 0 else {
      let error = failure("create", path)
      unsafe unlink(path)
      throw error
    }
    return path
  }

  /// `open`, one `pwrite` for each part without copying it, `futimens`.
  public func write(_ parts: [[UInt8]], to path: String) throws(FileSystemError) {
    let file = try open(path, O_WRONLY, to: "write")
    defer { close(file) }
    var offset = 0
    for part in parts {
      try write(part, to: file, at: offset, path)
      offset += part.count
    }
    stampTimes(of: file)
  }

  /// `rename`.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    #if canImport(Darwin)
      let status = unsafe Darwin.rename(path, newPath)
    #elseif canImport(Musl)
      let status = unsafe Musl.rename(path, newPath)
    #else
      let status = unsafe Glibc.rename(path, newPath)
    #endif
    guard status == 0 else { throw failure("rename", path) }
  }

  /// `unlink`, or `rmdir` for a directory.
  public func remove(_ path: String) throws(FileSystemError) {
    if unsafe unlink(path) == 0 { return }
    // Linux answers EISDIR for a directory, POSIX and Darwin EPERM.
    if errno == EISDIR || errno == EPERM, unsafe rmdir(path) == 0 { return }
    throw failure("remove", path)
  }

  /// `readdir`, and `fstatat` for each name.
  public func list(_ directory: String) throws(FileSystemError) -> [FileEntry] {
    guard let stream = unsafe opendir(directory) else { throw failure("list", directory) }
    defer { unsafe closedir(stream) }
    let descriptor = unsafe dirfd(stream)
    let now = Self.now
    var entries: [FileEntry] = []
    errno = 0
    while let item = unsafe readdir(stream) {
      var status = stat()
      let name = unsafe withUnsafePointer(to: &item.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != "..",
        // A file that went away since is no error: other processes work here too.
        unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      {
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        entries.append(
          FileEntry(name: name, size: Int(status.st_size), age: now - status.modified, isRegular: isRegular))
      }
      errno = 0
    }
    guard errno == 0 else { throw failure("list", directory) }
    return entries
  }

  /// `flock` on a descriptor of its own, which also keeps threads of one process apart; the system releases
  /// it when the process ends.
  public func withLock<R: Sendable>(
    _ path: String,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    let file = try open(path, O_RDWR | O_CREAT, to: "lock")
    defer { close(file) }
    while flock(file, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure("lock", path) }
    }
    let contents = try read(file, count: 64, at: 0, path)
    return try body(contents) { replacement throws(FileSystemError) in
      guard replacement.count == contents.count || ftruncate(file, off_t(replacement.count)) == 0 else {
        throw failure("write", path)
      }
      try write(replacement, to: file, at: 0, path)
    }
  }

  private func open(_ path: String, _ flags: Int32, to operation: String) throws(FileSystemError) -> Int32 {
    // O_NONBLOCK: a pipe at this name must not make the open wait for a writer. Regular files ignore it.
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    while true {
      #if canImport(Darwin)
        let file = unsafe Darwin.open(path, flags, 0o600)
      #elseif canImport(Musl)
        let file = unsafe Musl.open(path, flags, 0o600)
      #else
        let file = unsafe Glibc.open(path, flags, 0o600)
      #endif
      if file >= 0 { return file }
      guard errno == EINTR else { throw failure(operation, path) }
    }
  }

  private func size(of file: Int32, _ path: String) throws(FileSystemError) -> Int {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw failure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileSystemError(.notAFile, operation: "read", path: path)
    }
    return Int(status.st_size)
  }

  /// Up to `count` bytes; fewer when the file is shorter.
  private func read(_ file: Int32, count: Int, at offset: Int, _ path: String) throws(FileSystemError)
    -> [UInt8]
  {
    var failure: FileSystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        let got = unsafe pread(file, rest.baseAddress, rest.count, off_t(offset + filled))
        if got == 0 { return }
        if got > 0 { filled += got } else if errno != EINTR { return failure = self.failure("read", path) }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private func write(_ bytes: [UInt8], to file: Int32, at offset: Int, _ path: String)
    throws(FileSystemError)
  {
    var written = 0
    while written < bytes.count {
      let put = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        return unsafe pwrite(file, rest.baseAddress, rest.count, off_t(offset + written))
      }
      if put > 0 { written += put } else if errno != EINTR { throw failure("write", path) }
    }
  }

  /// Marks an open file as used now, to the nanosecond: the time that the system itself would set has the
  /// resolution of its timer tick, too coarse to order two uses. Only the choice of what to evict rests on
  /// it, so that failure (a read-only file system) is no error.
  private func stampTimes(of file: Int32) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    let times = [time, time]
    _ = unsafe futimens(file, times)
  }

  private static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private func failure(_ operation: String, _ path: String) -> FileSystemError {
    FileSystemError(Self.kind(of: errno), operation: operation, path: path)
  }

  private static func kind(of code: Int32) -> FileSystemError.Kind {
    switch code {
    case ENOENT, ENOTDIR: .notFound
    case EEXIST: .exists
    case EACCES, EPERM: .denied
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .full
    case EISDIR, ELOOP: .notAFile
    default: .system(code)
    }
  }
}

extension stat {
  fileprivate var modified: Duration {
    #if canImport(Darwin)
      .seconds(st_mtimespec.tv_sec) + .nanoseconds(st_mtimespec.tv_nsec)
    #else
      .seconds(st_mtim.tv_sec) + .nanoseconds(st_mtim.tv_nsec)
    #endif
  }
}
