extension LoadError {
  /// The system gave the transport no thread, socket or memory.
  static let noTransport = LoadError(
    .io, "the system has no thread, memory or file descriptor left for a transfer", isRetryable: true)
}
