public import Cellophane

extension Sequence where Element: Sendable {
  /// What `transform` gives for each element, in the order of the elements; at most `limit` run at once, and at least one.
  ///
  /// The elements are taken one by one, as places become free. The first error cancels what runs, begins nothing more and
  /// is thrown once all has ended. Cancelling the caller cancels what runs and what begins later.
  ///
  /// Structured: nothing runs any more when it returns.
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

  /// What `transform` gives for each element, as soon as it is there; at most `limit` run at once, and at least one.
  ///
  /// The work begins with the iteration, and ends with it: when the loop is left or its task cancelled, what runs is
  /// cancelled. A value that nobody has taken keeps the place of its operation, so a slow reader slows the work down. The
  /// first error cancels what runs and is thrown; what finished before it comes first.
  ///
  /// - Parameter timeline: Where the tasks are started.
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

/// Runs `transform` for each of `elements`, at most `limit` at once, and hands over what it gives, with the element's
/// offset, as it comes. While `receive` runs, nothing new begins. The first error cancels the rest, and so does `receive` by
/// false: nobody wants more.
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
    // Not once more than there are elements: a limit may be as large as it likes.
    while begun < most, begin() {}
    while let (offset, result) = await group.next() {
      switch result {
      case .success(let value):
        if await receive(offset, value) { break }
        group.cancelAll()
        return .success(())
      case .failure(let error):
        // Leaving the group waits for what was cancelled.
        group.cancelAll()
        return .failure(error)
      }
      _ = begin()
    }
    return .success(())
  }
}
