/// Why a response that was to be kept is not on disk.
public enum StoreFailure: Hashable, Sendable, CustomStringConvertible {
  /// It would take more than an eighth of the limit.
  case tooLarge
  /// The cache is full, and room could not be made at once: see ``DiskCounters/refused``.
  case noRoom
  /// A file operation failed.
  case failed(FileSystemError)

  /// One sentence.
  public var description: String {
    switch self {
    case .tooLarge: "a response may take at most an eighth of the cache"
    case .noRoom: "the cache is full, and what may go is still being looked for"
    case .failed(let error): error.description
    }
  }
}
