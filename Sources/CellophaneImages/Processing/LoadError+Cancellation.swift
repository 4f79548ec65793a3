extension LoadError {
  /// Checks for cancellation.
  ///
  /// - Throws: ``LoadError/cancelled`` if the current task is cancelled.
  static func throwIfCancelled() throws(LoadError) {
    if Task.isCancelled { throw .cancelled }
  }
}
