/// The few file operations under the disk cache, so that a test can make every one of them fail.
/// Paths are absolute or relative to the process's directory; all calls block.
public protocol FileSystem: Sendable {
  /// Makes a directory that only its owner may use, and those above it; one that exists is left as it is.
  func makeDirectory(at path: String) throws(FileSystemError)

  /// The whole contents of a regular file, and marks it as used now. Failure to mark is not an error.
  ///
  /// - Throws: ``FileSystemError/Kind/tooLarge`` for a file of more than `limit` bytes, before anything is
  ///   allocated; ``FileSystemError/Kind/notAFile`` for a directory, link or device.
  func use(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8]

  /// The last `count` bytes of a regular file, or all of a shorter one; leaves its time of use alone.
  func end(of path: String, count: Int) throws(FileSystemError) -> [UInt8]

  /// Creates a file of `size` zero bytes that only its owner may use, under a name that begins with `prefix`
  /// and that nothing else has.
  func createTemporary(prefix: String, size: Int) throws(FileSystemError) -> String

  /// Writes `parts` one behind the other over the start of an existing file, and marks it as used now.
  func write(_ parts: [[UInt8]], to path: String) throws(FileSystemError)

  /// Gives the file at `path` another name in one step, replacing a file of that name.
  func rename(_ path: String, to newPath: String) throws(FileSystemError)

  /// Removes a file, a link or an empty directory.
  func remove(_ path: String) throws(FileSystemError)

  /// What is in a directory, in any order, without `.` and `..`.
  func list(_ directory: String) throws(FileSystemError) -> [FileEntry]

  /// Runs `body` while no other process, and no other thread, runs one with the same `path`. The file at
  /// `path` is created when it is missing; `body` receives its first 64 bytes and a function that replaces
  /// its contents. Waits for as long as somebody else holds it.
  func withLock<R: Sendable>(
    _ path: String,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R
}

/// One name in a directory.
public struct FileEntry: Hashable, Sendable {
  /// The name within its directory.
  public var name: String
  /// The length in bytes.
  public var size: Int
  /// The time since it was last written or used; negative after the clock was set back.
  public var age: Duration
  /// False for directories, links and devices.
  public var isRegular: Bool

  /// An entry.
  public init(name: String, size: Int, age: Duration, isRegular: Bool = true) {
    self.name = name
    self.size = size
    self.age = age
    self.isRegular = isRegular
  }
}

/// Why a file operation failed.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause, as far as somebody may act on it.
  public enum Kind: Hashable, Sendable {
    /// The file or its directory does not exist.
    case notFound
    /// The name is taken.
    case exists
    /// The process may not.
    case denied
    /// The file system is mounted read-only.
    case readOnly
    /// No space is left, or the quota is used up.
    case full
    /// A directory, link or device stands where a file is expected.
    case notAFile
    /// The file is larger than the caller allowed.
    case tooLarge
    /// Another error of the system, with its number.
    case system(Int32)
  }

  /// What was tried, as a verb.
  public let operation: String
  /// On which path.
  public let path: String
  /// Why it failed.
  public let kind: Kind

  /// An error of `kind`.
  public init(_ kind: Kind, operation: String, path: String) {
    self.kind = kind
    self.operation = operation
    self.path = path
  }

  /// One sentence: what was tried, on what, and why it failed.
  public var description: String {
    let reason =
      switch kind {
      case .notFound: "no such file or directory"
      case .exists: "the name is taken"
      case .denied: "permission denied"
      case .readOnly: "the file system is read-only"
      case .full: "no space left"
      case .notAFile: "not a regular file"
      case .tooLarge: "the file is too large"
      case .system(let code): "system error \(code)"
      }
    return "cannot \(operation) '\(path)': \(reason)"
  }
}
