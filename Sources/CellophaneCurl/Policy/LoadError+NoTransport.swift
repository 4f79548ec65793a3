extension LoadError {
  /// The system provided no thread, socket or memory for the transport.
  static let noTransport = LoadError(
    .io,
    "the system has no thread, memory or file descriptor left for a transfer; run fewer transfers at once",
    isRetryable: true)
}
