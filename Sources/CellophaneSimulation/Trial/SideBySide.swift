internal import Cellophane

/// What `count` bodies come to, in their order, at most `threads` of them run at once. The first that fails ends the
/// others.
///
/// - Parameters:
///   - keepsFinished: When cancelled, those are returned that were over, from the first on without a gap: what the same
///     call for fewer would have come to.
///   - onEnd: Called after each, with how many are over.
/// - Throws: What made the others end; ``LoadError/cancelled``, unless something is kept.
func sideBySide<Value: Sendable>(
  _ count: Int, threads: Int, keepsFinished: Bool = false, onEnd: (Int) -> Void = { _ in },
  _ body: @escaping @Sendable (Int) async throws(LoadError) -> Value
) async throws(LoadError) -> [Value] {
  let outcomes = await withTaskGroup(of: (Int, Result<Value, LoadError>).self) { group in
    var waiting = (0..<count).makeIterator()
    func startOne() {
      guard let index = waiting.next() else { return }
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
  // The failure that made the others end, if there was one.
  for case .failure(let error) in outcomes where error.kind != .cancelled { throw error }
  var values: [Value] = []
  for outcome in outcomes {
    if keepsFinished, !values.isEmpty, case .failure = outcome { break }
    values.append(try outcome.get())
  }
  return values
}
