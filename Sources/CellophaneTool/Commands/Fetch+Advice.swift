internal import Cellophane

/// The ends of error messages.
extension Fetch {
  /// Returns the remedy for a failed load, or nil.
  func advice(on error: LoadError) -> String? {
    if let advice = transfer.advice(on: error, requiring: result.kind) { return advice }
    switch (error.kind, error.detail) {
    case (.invalidRequest, .otherScheme) where !connection.allowsFiles: return "file needs --allow-files"
    // A pause that the origin requested is part of the message. No option sets the number of attempts.
    case (.status, _), (.timeout, _), (.connectionLost, _), (.dns, _):
      return error.isRetryable && error.retryAfter == nil ? "try again later" : nil
    default: return nil
    }
  }

  /// The part of the message about an interruption that says what remains.
  var kept: String {
    storage.noCache
      ? "nothing is kept"
      : "no result is written; the cache keeps the received part if the transfer can resume"
  }
}
