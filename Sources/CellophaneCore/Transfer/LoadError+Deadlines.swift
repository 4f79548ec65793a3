extension LoadError {
  package static func timeout(_ what: String, _ time: Duration, detail: Detail? = nil) -> LoadError {
    LoadError(
      .timeout, "\(what) \((time / .milliseconds(1)).rounded() / 1_000) s", isRetryable: true, detail: detail)
  }

  /// Returns the error for a load that did not end before the deadline of its caller.
  package static func missed(deadline: Duration) -> LoadError {
    timeout("the load, with its time in queues, did not end before its deadline of", deadline)
  }

  /// The error of a load that a full queue refuses.
  package static let busy = LoadError(
    .busy, "too many loads wait already; load again later", isRetryable: true)

  /// The error of an exchange whose body does not fit into the memory for bodies. The loader repeats the request.
  package static let noMemoryForBody = LoadError(
    .busy,
    "the bodies in progress exceed the memory that the process may use; load fewer at once, or raise the limit",
    isRetryable: true)

  /// Returns the error for a response that was not complete within the time of its load.
  package static func late(_ origin: some CustomStringConvertible, after time: Duration) -> LoadError {
    timeout("the response of \(origin) was not complete within", time, detail: .totalTime)
  }
}
