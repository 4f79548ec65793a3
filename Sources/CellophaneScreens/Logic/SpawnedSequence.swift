internal import Cellophane

/// An async sequence whose elements come from a task of its own, one for each iteration. The task is cancelled when the
/// iterator goes or its task is cancelled.
struct SpawnedSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  typealias AsyncIterator = Mailbox<Element, Failure>.Receiver

  private let timeline: Timeline
  private let capacity: Int
  private let overflow: BufferOverflow
  private let produce: @Sendable (Mailbox<Element, Failure>) async -> Void

  /// - Parameters:
  ///   - capacity: How many elements wait for the reader; see ``Mailbox``.
  ///   - produce: Fills the mailbox, on `timeline`; it may say how it ends.
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
