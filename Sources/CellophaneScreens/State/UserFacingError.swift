internal import Cellophane

/// Why a search has no results, or a list no page, as people are told.
public struct UserFacingError: Error, Hashable, Sendable, Codable {
  /// What happened, and what to do when something can be done.
  public let message: String
  /// True when the same may succeed later.
  public let isRetryable: Bool

  /// An error to be told.
  public init(_ message: String, isRetryable: Bool = true) {
    self.message = message
    self.isRetryable = isRetryable
  }

  /// What is told of `error`; nil for one that only says that somebody gave up. Of an unknown error nobody knows that it
  /// lasts, so a retry makes sense.
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
