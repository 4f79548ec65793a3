/// The reason that a response was not written to disk.
public enum StoreFailure: Hashable, Sendable, CustomStringConvertible {
  /// The response exceeds an eighth of the limit.
  case tooLarge
  /// The cache is full, and space could not be freed immediately: see ``DiskCounters/refused``.
  case noRoom
  /// A file operation failed.
  case failed(FileSystemError)

  /// One sentence: the cause and, if there is one, the remedy.
  public var description: String {
    switch self {
    case .tooLarge: "the response exceeds an eighth of the cache limit"
    case .noRoom: "the cache is full and still searches for entries to evict; try again later"
    case .failed(let error): error.description
    }
  }
}
