#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension POSIXDirectory {
  /// `flock` on a descriptor of its own, which also keeps threads of one process apart; the system releases
  /// it when the process ends.
  func withLock<R: Sendable>(
    _ name: String, isMade: Bool, waits: Bool,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    let file = try open(name, isMade ? O_RDWR | O_CREAT : O_RDWR, to: "lock")
    _ = try regularStatus(of: file, name)
    // Nobody holds it for longer than a few system calls, unless somebody was stopped right then; and a load waits
    // for its store. Fifty pauses of 1 ms: a busy machine takes the processor from a holder for as long.
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

  /// `flock`, as above, for as long as the claim lives.
  func claim(_ name: String, isMade: Bool) throws(FileSystemError) -> (any FileClaim)? {
    let file = try open(name, isMade ? O_RDWR | O_CREAT : O_RDWR, to: "claim")
    _ = try regularStatus(of: file, name)
    guard try lock(file, name) else { return nil }
    return POSIXClaim(file, name: name, in: self)
  }

  /// Puts `replacement` in the place of `count` bytes.
  func replace(
    contentsOf file: borrowing POSIXDescriptor, from count: Int, with replacement: [UInt8], _ name: String
  ) throws(FileSystemError) {
    guard replacement.count == count || ftruncate(file.number, off_t(replacement.count)) == 0 else {
      throw failure("write", name)
    }
    try write(replacement[...], to: file, at: 0, name)
  }

  /// False when somebody else has it.
  private func lock(_ file: borrowing POSIXDescriptor, _ name: String) throws(FileSystemError) -> Bool {
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw failure("lock", name) }
    }
    return true
  }
}

/// An open file with a lock on it.
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
