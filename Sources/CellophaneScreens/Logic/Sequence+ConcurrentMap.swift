public import Cellophane

extension Sequence where Element: Sendable {
  /// Returns the results of `transform` in the order of the elements. At most `limit` operations run at once,
  /// at least one.
  ///
  /// Elements are read one by one, when an operation can start. The first error cancels the running
  /// operations and starts no others; it is thrown once all have ended. Cancelling the caller cancels the
  /// running operations and those that start later.
  ///
  /// Structured: when the function returns, no operation is running.
  public func concurrentMap<Value: Sendable, Failure: Error>(
    limit: Int, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Element) async throws(Failure) -> Value
  ) async throws(Failure) -> [Value] {
    var values: [Value?] = []
    let result = await withConcurrentResults(of: self, limit: limit, priority: priority, transform) {
      offset, value in
      while values.count <= offset { values.append(nil) }
      values[offset] = value
      return true
    }
    try result.get()
    return values.compactMap(\.self)
  }

  /// Returns the results of `transform` in the order in which the operations end. At most `limit` operations
  /// run at once, at least one.
  ///
  /// The work starts with the iteration and ends with it: leaving the loop, or cancelling its task, cancels
  /// the running operations. An operation occupies its share of the limit until its value is read, so a slow
  /// reader slows the work down. The first error cancels the running operations and is thrown after the
  /// values that were ready before it.
  ///
  /// - Parameter timeline: The timeline that starts the tasks.
  public func concurrentMapUnordered<Value: Sendable, Failure: Error>(
    limit: Int, priority: TaskPriority? = nil, on timeline: Timeline,
    _ transform: @escaping @Sendable (Element) async throws(Failure) -> Value
  ) -> some AsyncSequence<Value, Failure> & Sendable where Self: Sendable {
    SpawnedSequence<Value, Failure>(timeline: timeline, capacity: 1, overflow: .suspend) { mailbox in
      let result = await withConcurrentResults(of: self, limit: limit, priority: priority, transform) {
        _, value in
        await mailbox.send(value)
      }
      mailbox.finish(result)
    }
  }
}

/// Runs `transform` for each of `elements`, at most `limit` at once, and passes each result with the
/// element's offset to `receive`. No operation starts while `receive` runs. The first error cancels the rest.
/// `receive` returns false to cancel the rest as well.
private func withConcurrentResults<Elements: Sequence, Value: Sendable, Failure: Error>(
  of elements: Elements, limit: Int, priority: TaskPriority?,
  _ transform: @escaping @Sendable (Elements.Element) async throws(Failure) -> Value,
  receive: (_ offset: Int, Value) async -> Bool
) async -> Result<Void, Failure> where Elements.Element: Sendable {
  await withTaskGroup(of: (offset: Int, result: Result<Value, Failure>).self) { group in
    var rest = elements.makeIterator()
    var begun = 0
    func begin() -> Bool {
      guard let element = rest.next() else { return false }
      group.addTask(priority: priority) { [begun] in
        do throws(Failure) {
          return (begun, .success(try await transform(element)))
        } catch {
          return (begun, .failure(error))
        }
      }
      begun += 1
      return true
    }
    let most = Swift.max(1, limit)
    // At most one per element: the limit may be larger than their number.
    while begun < most, begin() {}
    while let (offset, result) = await group.next() {
      switch result {
      case .success(let value):
        if await receive(offset, value) { break }
        group.cancelAll()
        return .success(())
      case .failure(let error):
        // The end of the group waits for the cancelled operations.
        group.cancelAll()
        return .failure(error)
      }
      _ = begin()
    }
    return .success(())
  }
}
