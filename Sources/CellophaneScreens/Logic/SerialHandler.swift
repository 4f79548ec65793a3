public import Cellophane
internal import Synchronization

/// A handler of events of any source and rate: one at a time, in the order in which they were sent.
///
/// Events wait in a buffer of bounded length. ``BufferOverflow`` is the rule for a full buffer. A failed
/// event is counted and reported, and the next one is handled.
///
/// `Sendable`: events may be sent from any thread and any isolation. Releasing the handler cancels the
/// current event and drops the waiting ones.
public final class SerialHandler<Event: Sendable>: Sendable {
  /// The counts of events so far.
  public struct Counters: Sendable, Hashable {
    /// Events handled without an error.
    public internal(set) var handled = 0
    /// Events handled with an error.
    public internal(set) var failed = 0
    /// Events that were sent and never handled, because the buffer was full or the handler was cancelled.
    /// Events sent after the handler stopped accepting them do not count. Neither do events whose sender was
    /// cancelled while it waited for room.
    public internal(set) var dropped = 0
    /// Events in the buffer now.
    public internal(set) var buffered = 0
  }

  private let mailbox: Mailbox<Event, Never>
  private let tally = Tally()
  private let task: Task<Void, Never>

  /// Creates a handler that waits for events.
  ///
  /// - Parameters:
  ///   - capacity: The number of events that can wait, in addition to the current one. At least one.
  ///   - timeline: The timeline that runs the handling task.
  ///   - onFailure: Called with an event and its error, before the next event is handled.
  ///   - handle: Handles one event, in its own isolation: `{ @MainActor event in … }` on the main actor.
  public init(
    capacity: Int, overflow: BufferOverflow, timeline: Timeline = Timeline(), priority: TaskPriority? = nil,
    onFailure: @escaping @Sendable (Event, any Error) -> Void = { _, _ in },
    handle: @escaping @Sendable (Event) async throws -> Void
  ) {
    let (mailbox, receiver) = Mailbox<Event, Never>.make(capacity: capacity, overflow: overflow)
    self.mailbox = mailbox
    task = timeline.spawn(priority: priority) { [tally] in
      var receiver = receiver
      while let event = await receiver.next(isolation: #isolation) {
        do {
          try await handle(event)
          tally.counts.withLock { $0.handled += 1 }
        } catch {
          tally.counts.withLock { $0.failed += 1 }
          onFailure(event, error)
        }
      }
    }
  }

  deinit { cancel() }

  /// The counts of events so far.
  public var counters: Counters {
    let load = mailbox.load
    var counters = tally.counts.withLock { $0 }
    counters.dropped = load.dropped
    counters.buffered = load.count
    return counters
  }

  /// Sends `event` without waiting. Returns false if it will not be handled: the buffer is full, or the
  /// handler was finished or cancelled. With ``BufferOverflow/dropOldest``, another event may be dropped for
  /// it.
  @discardableResult
  public func yield(_ event: Event) -> Bool { mailbox.yield(event) }

  /// Sends `event`, and waits for room with ``BufferOverflow/suspend``. Returns false if it will not be
  /// handled, as ``yield(_:)`` does, or if the task was cancelled while it waited.
  @discardableResult
  public func send(_ event: Event) async -> Bool { await mailbox.send(event) }

  /// Accepts no further events. Events sent before are still handled.
  public func finish() { mailbox.finish() }

  /// Accepts no further events, drops the waiting ones, and cancels the current one.
  public func cancel() {
    mailbox.cancel()
    task.cancel()
  }

  /// Returns when all events are handled after ``finish()``, or when the current one has ended after
  /// ``cancel()``. It does not return earlier if its own task is cancelled.
  public func finished() async { await task.value }
}

extension SerialHandler {
  private final class Tally: Sendable {
    let counts = Mutex(Counters())
  }
}
