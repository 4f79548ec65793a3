/// The few file operations under the disk cache, so that a test can make every one of them fail. All calls
/// block, but for ``FileDirectory/readAtOnce(_:atMost:)``.
public protocol FileSystem: Sendable {
  /// Opens the directory at `path`, absolute or relative to the process's directory.
  ///
  /// - Parameter isMade: Whether a missing one is made, with those above it, for its owner alone.
  /// - Throws: ``FileSystemError/Kind/untrusted`` unless it is this user's and nobody else may write to it.
  func directory(at path: String, isMade: Bool) throws(FileSystemError) -> any FileDirectory
}

/// An open directory. Names are those of files right in it. No operation follows a link.
public protocol FileDirectory: AnyObject, Sendable {
  /// The time since 1970 by the clock that dates the files.
  var now: Duration { get }

  /// True while the path that it was opened at leads here; false once it was deleted, moved or replaced.
  var isInPlace: Bool { get }

  /// The whole contents of a regular file; leaves its time of use alone.
  ///
  /// - Throws: ``FileSystemError/Kind/tooLarge`` for a file of more than `limit` bytes, before anything is
  ///   allocated; ``FileSystemError/Kind/notAFile`` for a directory, link or device.
  func read(_ name: String, atMost limit: Int) throws(FileSystemError) -> FileContents

  /// What ``read(_:atMost:)`` gives, without blocking; nil when that needs the device, and when anything is
  /// wrong. May always be nil.
  func readAtOnce(_ name: String, atMost limit: Int) -> FileContents?

  /// Opens a regular file, to read parts of it; leaves its time of use alone.
  ///
  /// - Throws: ``FileSystemError/Kind/notAFile`` for a directory, link or device.
  func open(_ name: String) throws(FileSystemError) -> any OpenFile

  /// What is called `name`.
  func entry(_ name: String) throws(FileSystemError) -> FileEntry

  /// Creates a file that only its owner may use, and writes `parts` one behind the other. A failure may leave
  /// a file with some of it.
  func create(_ name: String, _ parts: [[UInt8]]) throws(FileSystemError)

  /// Gives a file another name, in place of a file of that name. Who looks sees one of the two or, for an
  /// instant, none; never a part of one.
  ///
  /// - Returns: The length of the file that was there; nil when there was none, and when that is not known.
  func rename(_ name: String, to newName: String) throws(FileSystemError) -> Int?

  /// Removes a file, a link or an empty directory.
  func remove(_ name: String) throws(FileSystemError)

  /// Dates the last use of a file.
  func setUsed(_ name: String, at time: Duration) throws(FileSystemError)

  /// Begins to list the directory.
  func list() throws(FileSystemError) -> any FileListing

  /// Runs `body` while no other process, and no other thread, runs one with the same `name`. `body` receives the
  /// first 64 bytes of the file and a function that replaces its contents.
  ///
  /// - Parameters:
  ///   - isMade: Whether a missing one is made.
  ///   - waits: Whether to wait for somebody else who holds the lock, for 50 ms.
  /// - Throws: ``FileSystemError/Kind/busy`` when somebody else holds the lock.
  func withLock<R: Sendable>(
    _ name: String, isMade: Bool, waits: Bool,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R

  /// Holds the file called `name` until the claim goes away, at the latest when the process ends, however it
  /// ends; nil while somebody else holds it.
  ///
  /// - Parameter isMade: Whether a missing one is made.
  func claim(_ name: String, isMade: Bool) throws(FileSystemError) -> (any FileClaim)?
}

/// A file that is being read: one and the same, also when another file takes its name meanwhile.
public protocol OpenFile: AnyObject {
  /// Its length in bytes when it was opened.
  var size: Int { get }

  /// When it had last been written or used by then, since 1970.
  var used: Duration { get }

  /// The `count` bytes from `offset` on; fewer where it is shorter.
  func read(_ count: Int, at offset: Int) throws(FileSystemError) -> [UInt8]
}

extension OpenFile {
  /// The last `count` bytes, or all of a shorter one.
  public func end(_ count: Int) throws(FileSystemError) -> [UInt8] {
    try read(min(size, count), at: max(0, size - count))
  }
}

/// A file that one holder claims.
public protocol FileClaim: AnyObject, Sendable {
  /// Replaces its contents.
  ///
  /// - Throws: ``FileSystemError/Kind/notFound`` when the file was removed meanwhile.
  func replace(with contents: [UInt8]) throws(FileSystemError)
}

/// A directory being listed.
public protocol FileListing: AnyObject {
  /// The next names, about `count` of them, in any order, without `.` and `..`; empty at the end. A name that
  /// comes or goes meanwhile may be given or not.
  func next(_ count: Int) throws(FileSystemError) -> [FileEntry]
}

/// One name in a directory.
public struct FileEntry: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The length in bytes.
  public var size: Int
  /// When it was last written or used, since 1970.
  public var used: Duration
  /// False for directories, links and devices, for what another user owns, and for a file with a second name.
  public var isRegular: Bool

  /// An entry.
  public init(name: String, size: Int, used: Duration, isRegular: Bool = true) {
    self.name = name
    self.size = size
    self.used = used
    self.isRegular = isRegular
  }
}

/// What is in a file.
public struct FileContents: Sendable {
  /// All of it.
  public var bytes: [UInt8]
  /// When it was last written or used, since 1970.
  public var used: Duration

  /// Contents.
  public init(bytes: [UInt8], used: Duration) {
    self.bytes = bytes
    self.used = used
  }
}
