public import Cellophane

/// The elements of both sequences as they come. It ends when both have ended; an error of either ends it.
///
/// Each sequence is asked for its next element once the one before was read, or one more is in between. The iteration starts
/// a task on `timeline` and cancels it when it ends.
///
/// Written anew because `merge` of swift-async-algorithms 1.1.4 starts its task on the global pool, where no injected
/// executor reaches it and virtual time does not know of it.
public func merge<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
  _ first: First, _ second: Second, on timeline: Timeline
) -> some AsyncSequence<First.Element, First.Failure> & Sendable
where First.Element: Sendable, Second.Element == First.Element, Second.Failure == First.Failure {
  merged(first, second, on: timeline, \.self, \.self)
}

/// The latest elements of both sequences, whenever either has a new one and both have had one. It ends when both have
/// ended; an error of either ends it.
///
/// No combination is left out, so a slow reader slows the sequences down. The iteration starts a task on `timeline` and
/// cancels it when it ends.
///
/// Written anew because `combineLatest` of swift-async-algorithms 1.1.4 starts its task on the global pool, where no
/// injected executor reaches it and virtual time does not know of it.
public func combineLatest<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
  _ first: First, _ second: Second, on timeline: Timeline
) -> some AsyncSequence<(First.Element, Second.Element), First.Failure> & Sendable
where First.Element: Sendable, Second.Element: Sendable, Second.Failure == First.Failure {
  CombineLatestSequence(
    base: merged(
      first, second, on: timeline, { OneOf.first($0) }, { OneOf.second($0) }))
}

private enum OneOf<First: Sendable, Second: Sendable>: Sendable {
  case first(First)
  case second(Second)
}

private func merged<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable, Element: Sendable>(
  _ first: First, _ second: Second, on timeline: Timeline,
  _ one: @escaping @Sendable (First.Element) -> Element,
  _ other: @escaping @Sendable (Second.Element) -> Element
) -> SpawnedSequence<Element, First.Failure> where Second.Failure == First.Failure {
  SpawnedSequence(timeline: timeline, capacity: 1, overflow: .suspend) { mailbox in
    await withTaskGroup(of: Result<Void, First.Failure>.self) { group in
      group.addTask { await forward(first, to: mailbox, one) }
      group.addTask { await forward(second, to: mailbox, other) }
      for await ending in group {
        if case .failure = ending {
          group.cancelAll()
          return mailbox.finish(ending)
        }
      }
    }
  }
}

private func forward<Base: AsyncSequence, Element: Sendable>(
  _ base: Base, to mailbox: Mailbox<Element, Base.Failure>, _ element: (Base.Element) -> Element
) async -> Result<Void, Base.Failure> {
  do throws(Base.Failure) {
    for try await value in base {
      await mailbox.send(element(value))
    }
    return .success(())
  } catch {
    return .failure(error)
  }
}

/// Keeps the latest of each kind.
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
