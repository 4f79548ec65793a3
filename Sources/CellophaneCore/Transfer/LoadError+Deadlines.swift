extension LoadError {
  package static func timeout(_ what: String, _ time: Duration, detail: Detail? = nil) -> LoadError {
    LoadError(
      .timeout, "\(what) \((time / .milliseconds(1)).rounded() / 1_000) s", isRetryable: true, detail: detail)
  }

  /// Returns the error for a response that was not complete within the time of its load.
  package static func late(_ origin: some CustomStringConvertible, after time: Duration) -> LoadError {
    timeout("the response of \(origin) was not complete within", time, detail: .totalTime)
  }
}
