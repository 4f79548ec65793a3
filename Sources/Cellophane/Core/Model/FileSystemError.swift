#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

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
    /// A directory, link or device stands where a file is expected, or a file that another user owns or that has
    /// a second name.
    case notAFile
    /// A file stands where a directory is expected.
    case notADirectory
    /// The file is larger than the caller allowed.
    case tooLarge
    /// The directory belongs to somebody else, others may write to it, or a link leads to it: what is in it
    /// may be theirs, and what we write may end up elsewhere.
    case untrusted
    /// Another process has held the lock for longer than any of ours does.
    case busy
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

  /// One sentence: what was tried, on what, why it failed, and what to do where that is not plain.
  public var description: String {
    let reason =
      switch kind {
      case .notFound: "no such file or directory"
      case .exists: "the name is taken"
      case .denied: "permission denied"
      case .readOnly: "the file system is read-only"
      case .full: "no space left"
      case .notAFile: "not a regular file of this user under this name alone"
      case .notADirectory: "there is a file in place of a directory; name a directory"
      case .tooLarge: "the file is too large"
      case .untrusted:
        "it is a link, belongs to another user, or others may write to it; name a directory of your own, "
          + "or take the others' permission away (chmod go-w)"
      case .busy: "another process holds its lock; end that process if it hangs"
      case .system(let code): unsafe String(cString: strerror(code))
      }
    return "cannot \(operation) '\(path)': \(reason)"
  }
}
