#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension POSIXDirectory {
  /// Uses `flock` on a new descriptor, which also excludes other threads of the process. The system releases
  /// the lock when the process ends.
  func withLock<R: Sendable>(
    _ name: String, creating: Bool, waits: Bool,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    let file = try open(name, creating ? O_RDWR | O_CREAT : O_RDWR, to: "lock")
    _ = try regularStatus(of: file, name)
    // The lock is held for a few system calls, unless the holder is suspended, and a load waits for its
    // store. 50 attempts at intervals of 1 ms: a busy machine may suspend a holder for that long.
    var attempts = 0
    while !(try lock(file, name)) {
      attempts += 1
      guard waits, attempts <= 50 else { throw FileSystemError(.busy, operation: "lock", path: path(name)) }
      pause()
    }
    let contents = try read(file, count: 64, at: 0, name)
    return try body(contents) { replacement throws(FileSystemError) in
      try replace(contentsOf: file, from: contents.count, with: replacement, name)
    }
  }

  /// Uses `flock` for the lifetime of the claim.
  func claim(_ name: String, creating: Bool) throws(FileSystemError) -> (any FileClaim)? {
    let file = try open(name, creating ? O_RDWR | O_CREAT : O_RDWR, to: "claim")
    _ = try regularStatus(of: file, name)
    guard try lock(file, name) else { return nil }
    return POSIXClaim(file, name: name, in: self)
  }

  /// Replaces the contents of a file of `count` bytes.
  func replace(
    contentsOf file: borrowing POSIXDescriptor, from count: Int, with replacement: [UInt8], _ name: String
  ) throws(FileSystemError) {
    guard replacement.count == count || ftruncate(file.number, off_t(replacement.count)) == 0 else {
      throw failure("write", name)
    }
    try write(replacement[...], to: file, at: 0, name)
  }

  /// Takes the lock; false if another process or thread holds it.
  private func lock(_ file: borrowing POSIXDescriptor, _ name: String) throws(FileSystemError) -> Bool {
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw failure("lock", name) }
    }
    return true
  }
}

/// An open file that is locked.
final class POSIXClaim: FileClaim {
  private let file: POSIXDescriptor
  private let name: String
  private let directory: POSIXDirectory

  init(_ file: consuming POSIXDescriptor, name: String, in directory: POSIXDirectory) {
    self.file = file
    self.name = name
    self.directory = directory
  }

  func replace(with contents: [UInt8]) throws(FileSystemError) {
    let status = try directory.regularStatus(of: file, name)
    guard status.st_nlink > 0 else {
      throw FileSystemError(.notFound, operation: "write", path: directory.path(name))
    }
    try directory.replace(contentsOf: file, from: Int(status.st_size), with: contents, name)
  }
}
