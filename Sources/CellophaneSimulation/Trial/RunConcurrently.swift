internal import Cellophane

/// Runs `body` for each index below `count`, at most `threads` concurrently. Returns the results in the order
/// of the indices. The first failure cancels the others.
///
/// - Parameters:
///   - keepsFinished: True to return the finished results after a cancellation, from the first one up to the
///     first gap. They are the same as for a smaller `count`.
///   - onStart: Called before each start with its index, in order.
///   - onEnd: Called after each result with the number of finished ones.
/// - Throws: The first failure; ``LoadError/cancelled`` if no result is kept.
func runConcurrently<Value: Sendable>(
  _ count: Int, threads: Int, keepsFinished: Bool = false, onStart: (Int) -> Void = { _ in },
  onEnd: (Int) -> Void = { _ in },
  _ body: @escaping @Sendable (Int) async throws(LoadError) -> Value
) async throws(LoadError) -> [Value] {
  let outcomes = await withTaskGroup(of: (Int, Result<Value, LoadError>).self) { group in
    var waiting = (0..<count).makeIterator()
    func startOne() {
      guard let index = waiting.next() else { return }
      onStart(index)
      group.addTask {
        do throws(LoadError) { return (index, .success(try await body(index))) } catch {
          return (index, .failure(error))
        }
      }
    }
    for _ in 0..<max(1, threads) { startOne() }
    var outcomes: [Int: Result<Value, LoadError>] = [:]
    for await (index, outcome) in group {
      outcomes[index] = outcome
      onEnd(outcomes.count)
      if case .failure = outcome { group.cancelAll() } else { startOne() }
    }
    return outcomes.sorted { $0.key < $1.key }.map(\.value)
  }
  // The failure that cancelled the others, if there was one.
  for case .failure(let error) in outcomes where error.kind != .cancelled { throw error }
  var values: [Value] = []
  for outcome in outcomes {
    if keepsFinished, !values.isEmpty, case .failure = outcome { break }
    values.append(try outcome.get())
  }
  return values
}
