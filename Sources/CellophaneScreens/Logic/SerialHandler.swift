public import Cellophane
internal import Synchronization

/// Handles events of any origin and rate one at a time, in the order in which they were sent.
///
/// Events wait in a buffer of bounded length; what happens when it is full is the ``BufferOverflow`` rule. One that fails
/// is counted and told, and the next is handled.
///
/// `Sendable`: events may be sent from any thread and any isolation. When the handler goes, what runs is cancelled and
/// what waits is dropped.
public final class SerialHandler<Event: Sendable>: Sendable {
  /// What has become of the events so far.
  public struct Counters: Sendable, Hashable {
    /// Handled without an error.
    public internal(set) var handled = 0
    /// Handled, with an error.
    public internal(set) var failed = 0
    /// Sent, and never handled: the buffer was full, or the handler was cancelled before their turn. What is sent when it
    /// takes no more does not count, and neither does what a sender takes back that is cancelled while it waits for room:
    /// nobody wants that any more.
    public internal(set) var dropped = 0
    /// In the buffer now.
    public internal(set) var buffered = 0
  }

  private let mailbox: Mailbox<Event, Never>
  private let tally = Tally()
  private let task: Task<Void, Never>

  /// A handler that waits for events.
  ///
  /// - Parameters:
  ///   - capacity: How many events wait beside the one that is handled. At least one.
  ///   - timeline: Where the task runs that handles them.
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

  /// What has become of the events so far.
  public var counters: Counters {
    let load = mailbox.load
    var counters = tally.counts.withLock { $0 }
    counters.dropped = load.dropped
    counters.buffered = load.count
    return counters
  }

  /// Sends `event` without waiting; false when it will not be handled: the buffer is full, or the handler was finished or
  /// cancelled. With ``BufferOverflow/dropOldest`` another event may be dropped for it.
  @discardableResult
  public func yield(_ event: Event) -> Bool { mailbox.yield(event) }

  /// Sends `event`, and waits for room with ``BufferOverflow/suspend``. False when it will not be handled: as with
  /// ``yield(_:)``, or the task was cancelled while it waited for room.
  @discardableResult
  public func send(_ event: Event) async -> Bool { await mailbox.send(event) }

  /// Takes no more events. Those that were sent are handled.
  public func finish() { mailbox.finish() }

  /// Takes no more events, drops those that wait, and cancels the one that is handled.
  public func cancel() {
    mailbox.cancel()
    task.cancel()
  }

  /// Returns when all is handled after ``finish()``, or what was handled has ended after ``cancel()``, and not before: also
  /// when its own task is cancelled.
  public func finished() async { await task.value }
}

extension SerialHandler {
  private final class Tally: Sendable {
    let counts = Mutex(Counters())
  }
}
