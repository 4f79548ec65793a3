extension LoadError {
  static func timeout(_ what: String, _ time: Duration) -> LoadError {
    LoadError(.timeout, "\(what) \((time / .milliseconds(1)).rounded() / 1_000) s", isRetryable: true)
  }

  /// An answer that did not come within the time of its load.
  static func late(_ origin: some CustomStringConvertible, after time: Duration) -> LoadError {
    timeout("the answer of \(origin) was not whole within", time)
  }
}
