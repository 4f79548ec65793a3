internal import Cellophane

/// An async sequence whose elements come from a separate task for each iteration. The task is cancelled when
/// the iterator is released or its task is cancelled.
struct SpawnedSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  typealias AsyncIterator = Mailbox<Element, Failure>.Receiver

  private let timeline: Timeline
  private let capacity: Int
  private let overflow: BufferOverflow
  private let produce: @Sendable (Mailbox<Element, Failure>) async -> Void

  /// - Parameters:
  ///   - capacity: The number of elements that wait for the reader; see ``Mailbox``.
  ///   - produce: Fills the mailbox, on `timeline`. It may set the result that ends it.
  init(
    timeline: Timeline, capacity: Int, overflow: BufferOverflow,
    produce: @escaping @Sendable (Mailbox<Element, Failure>) async -> Void
  ) {
    self.timeline = timeline
    self.capacity = capacity
    self.overflow = overflow
    self.produce = produce
  }

  func makeAsyncIterator() -> AsyncIterator {
    let (mailbox, receiver) = Mailbox<Element, Failure>.make(capacity: capacity, overflow: overflow)
    let task = timeline.spawn { [produce] in
      await produce(mailbox)
      mailbox.finish()
    }
    mailbox.onTermination { task.cancel() }
    return receiver
  }
}
