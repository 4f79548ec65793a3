public import Cellophane

/// Returns a sequence of the latest elements of both sequences. It has an element each time one of them has a
/// new one and both have had one. It ends when both have ended, or with the first error.
///
/// Every combination is delivered, so a slow reader slows the sequences down. The iteration starts a task on
/// `timeline` and cancels it at its end.
///
/// `combineLatest` of swift-async-algorithms 1.1.4 starts its task on the global pool. An injected executor
/// does not reach that task, and virtual time does not see it.
public func combineLatest<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
  _ first: First, _ second: Second, on timeline: Timeline
) -> some AsyncSequence<(First.Element, Second.Element), First.Failure> & Sendable
where First.Element: Sendable, Second.Element: Sendable, Second.Failure == First.Failure {
  CombineLatestSequence(base: merged(first, second, on: timeline, { OneOf.first($0) }, { OneOf.second($0) }))
}

private enum OneOf<First: Sendable, Second: Sendable>: Sendable {
  case first(First)
  case second(Second)
}

/// Combines the latest elements of both kinds.
private struct CombineLatestSequence<First: Sendable, Second: Sendable, Failure: Error>: AsyncSequence,
  Sendable
{
  let base: SpawnedSequence<OneOf<First, Second>, Failure>

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: SpawnedSequence<OneOf<First, Second>, Failure>.AsyncIterator
    var first: First?
    var second: Second?

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> (First, Second)? {
      while let element = try await base.next(isolation: actor) {
        switch element {
        case .first(let value): first = value
        case .second(let value): second = value
        }
        if let first, let second { return (first, second) }
      }
      return nil
    }

    mutating func next() async throws(Failure) -> (First, Second)? { try await next(isolation: #isolation) }
  }
}
