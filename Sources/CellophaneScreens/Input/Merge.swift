public import Cellophane

/// The elements of both sequences as they come. It ends when both have ended; an error of either ends it. More than
/// two are merged two by two.
///
/// One element waits for the reader, and one of each sequence behind it, so a slow reader slows the sequences down. The
/// iteration starts a task on `timeline` and cancels it when it ends.
///
/// Written anew because `merge` of swift-async-algorithms 1.1.4 starts its task on the global pool, where no injected
/// executor reaches it and virtual time does not know of it.
public func merge<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
  _ first: First, _ second: Second, on timeline: Timeline
) -> some AsyncSequence<First.Element, First.Failure> & Sendable
where First.Element: Sendable, Second.Element == First.Element, Second.Failure == First.Failure {
  merged(first, second, on: timeline, \.self, \.self)
}

/// Both sequences as one, of elements that say which each is from.
func merged<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable, Element: Sendable>(
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
      // Nobody wants more.
      guard await mailbox.send(element(value)) else { break }
    }
    return .success(())
  } catch {
    return .failure(error)
  }
}
