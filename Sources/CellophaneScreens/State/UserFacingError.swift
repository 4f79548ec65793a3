internal import Cellophane

/// The reason why a search or a page failed, for display.
public struct UserFacingError: Error, Hashable, Sendable, Codable {
  /// What happened and, if possible, what to do.
  public let message: String
  /// True if a retry may succeed.
  public let isRetryable: Bool

  /// Creates an error with `message`.
  public init(_ message: String, isRetryable: Bool = true) {
    self.message = message
    self.isRetryable = isRetryable
  }

  /// Creates an error for display from `error`; nil for a cancellation. An unknown error counts as retryable,
  /// because it may be temporary.
  public init?(_ error: any Error) {
    switch error {
    case is CancellationError: return nil
    case let failure as UserFacingError: self = failure
    case let error as LoadError:
      if error.kind == .cancelled { return nil }
      self.init(error.message, isRetryable: error.isRetryable)
    default: self.init("\(error)")
    }
  }
}
