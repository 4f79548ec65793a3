internal import CFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension POSIXDirectory {
  /// Uses `openat`, `fstat` and one `pread` into an array of the exact size.
  func read(_ name: String, atMost limit: Int) throws(FileSystemError) -> FileContents {
    let file = try open(name, O_RDONLY, to: "read")
    let status = try regularStatus(of: file, name)
    guard status.st_size <= limit else {
      throw FileSystemError(.tooLarge, operation: "read", path: path(name))
    }
    let bytes = try read(file, count: Int(status.st_size), at: 0, name)
    return FileContents(bytes: bytes, used: status.modified)
  }

  /// Uses the same calls with the flags that fail instead of waiting for the device (`RESOLVE_CACHED`,
  /// `RWF_NOWAIT`). Linux only; otherwise nil.
  func readCached(_ name: String, atMost limit: Int) -> FileContents? {
    let number = unsafe files_open_cached(descriptor.number, name, O_RDONLY | POSIXDescriptor.flags)
    guard number >= 0 else { return nil }
    let file = POSIXDescriptor(number)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.isFile(of: owner), status.st_size <= limit
    else { return nil }
    let size = Int(status.st_size)
    let mayWait: Int32 = isInMemory ? 1 : 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      guard let start = buffer.baseAddress else { return }
      filled = max(0, unsafe files_read_cached(number, start, size, mayWait))
    }
    return bytes.count == size ? FileContents(bytes: bytes, used: status.modified) : nil
  }

  /// Uses `openat` and `fstat`.
  func open(_ name: String) throws(FileSystemError) -> any OpenFile {
    try POSIXOpenFile(name, in: self)
  }

  func regularStatus(of file: borrowing POSIXDescriptor, _ name: String) throws(FileSystemError) -> stat {
    let status = try file.status(of: path(name))
    guard status.isFile(of: owner) else {
      throw FileSystemError(.notAFile, operation: "read", path: path(name))
    }
    return status
  }

  /// Reads up to `count` bytes; fewer at the end of the file.
  func read(
    _ file: borrowing POSIXDescriptor, count: Int, at offset: Int, _ name: String
  ) throws(FileSystemError) -> [UInt8] {
    let number = file.number
    var failure: FileSystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        let readCount = unsafe pread(number, rest.baseAddress, rest.count, off_t(offset + filled))
        if readCount == 0 { return }
        if readCount > 0 {
          filled += readCount
        } else if errno != EINTR {
          return failure = self.failure("read", name)
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// A file that is read with `pread`.
private final class POSIXOpenFile: OpenFile {
  let size: Int
  let used: Duration
  private let file: POSIXDescriptor
  private let directory: POSIXDirectory
  private let name: String

  init(_ name: String, in directory: POSIXDirectory) throws(FileSystemError) {
    file = try directory.open(name, O_RDONLY, to: "read")
    let status = try directory.regularStatus(of: file, name)
    (size, used) = (Int(status.st_size), status.modified)
    (self.directory, self.name) = (directory, name)
  }

  func read(_ count: Int, at offset: Int) throws(FileSystemError) -> [UInt8] {
    try directory.read(file, count: count, at: offset, name)
  }
}

/// A listing with `readdir`, and `fstatat` for each name.
@safe final class POSIXListing: FileListing {
  private let directory: POSIXDirectory
  private let stream: OpaquePointer

  init(of directory: POSIXDirectory, path: String) throws(FileSystemError) {
    // A new descriptor, because a listing moves the offset that duplicates share.
    let descriptor = try directory.open(".", O_RDONLY | O_DIRECTORY, to: "list")
    let copy = dup(descriptor.number)
    guard copy >= 0, let stream = unsafe fdopendir(copy) else {
      let error = directory.failure("list", ".")
      if copy >= 0 { close(copy) }
      throw error
    }
    self.directory = directory
    unsafe self.stream = stream
  }

  deinit { unsafe closedir(stream) }

  func next(_ count: Int) throws(FileSystemError) -> [FileEntry] {
    var entries: [FileEntry] = []
    errno = 0
    while entries.count < count, let item = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &item.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      // Other processes use the directory too, so a file that was removed since is not an error.
      if name != ".", name != "..", let entry = try? directory.entry(name) { entries.append(entry) }
      errno = 0
    }
    guard errno == 0 else { throw directory.failure("list", ".") }
    return entries
  }
}
