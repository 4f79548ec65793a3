public import Cellophane

/// Returns a sequence of the elements of both sequences in the order of their arrival. It ends when both have
/// ended, or with the first error. To merge more than two sequences, merge pairs.
///
/// One element waits for the reader, and one more in each sequence, so a slow reader slows the sequences
/// down. The iteration starts a task on `timeline` and cancels it at its end.
///
/// `merge` of swift-async-algorithms 1.1.4 starts its task on the global pool. An injected executor does not
/// reach that task, and virtual time does not see it.
public func merge<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
  _ first: First, _ second: Second, on timeline: Timeline
) -> some AsyncSequence<First.Element, First.Failure> & Sendable
where First.Element: Sendable, Second.Element == First.Element, Second.Failure == First.Failure {
  merged(first, second, on: timeline, \.self, \.self)
}

/// Merges both sequences into one whose elements name their source.
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
      // The reader has left.
      guard await mailbox.send(element(value)) else { break }
    }
    return .success(())
  } catch {
    return .failure(error)
  }
}
