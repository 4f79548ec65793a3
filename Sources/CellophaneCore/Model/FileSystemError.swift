#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The reason that a file operation failed.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The cause, as far as a caller can react to it.
  public enum Kind: Hashable, Sendable {
    /// The file or its directory does not exist.
    case notFound
    /// The name exists already.
    case exists
    /// The process has no permission.
    case denied
    /// The file system is mounted read-only.
    case readOnly
    /// No space is left, or the quota is used up.
    case full
    /// The path is a directory, a symbolic link or a device instead of a file, or the file belongs to another
    /// user or has several hard links.
    case notAFile
    /// The path is a file instead of a directory.
    case notADirectory
    /// The file is larger than the caller allowed.
    case tooLarge
    /// The directory belongs to another user, other users may write to it, or a symbolic link leads to it.
    /// Its contents may come from that user, and written files may end up in another location.
    case untrusted
    /// Another process has held the lock for longer than this package ever holds it.
    case busy
    /// Another system error, with its `errno`.
    case system(Int32)
  }

  /// The operation, as a verb.
  package let operation: String
  /// The path of the operation.
  package let path: String
  /// The cause.
  public let kind: Kind

  /// Creates an error of `kind`.
  package init(_ kind: Kind, operation: String, path: String) {
    self.kind = kind
    self.operation = operation
    self.path = path
  }

  /// One sentence: the operation, the path, the cause, and the remedy if it is not obvious.
  public var description: String {
    let reason =
      switch kind {
      case .notFound: "no such file or directory"
      case .exists: "a file with this name exists already"
      case .denied: "permission denied"
      case .readOnly: "the file system is read-only"
      case .full: "no space left"
      case .notAFile: "not a regular file, owned by another user, or has several hard links"
      case .notADirectory: "a part of the path is a file; name a directory"
      case .tooLarge: "the file is too large"
      case .untrusted:
        "it is a symbolic link, belongs to another user, or other users may write to it; "
          + "name a directory of your own or run chmod go-w on it"
      case .busy: "another process holds its lock; end that process if it hangs"
      case .system(let code): unsafe String(cString: strerror(code))
      }
    return "cannot \(operation) '\(path)': \(reason)"
  }
}
