internal import Cellophane
internal import Synchronization

/// A bounded buffer between many senders, on any thread, and one receiver. It ends after ``finish(_:)``, once
/// the receiver has its elements, or when the receiver stops.
final class Mailbox<Element: Sendable, Failure: Error>: Sendable {
  private struct State {
    var buffer: BoundedBuffer<Element>
    var senders: [BoundedBuffer<Element>.Sender: OneShot<Bool>] = [:]
    /// The result that ends the mailbox. Once it is set, no element is accepted.
    var ending: Result<Void, Failure>?
  }

  private let state: Mutex<State>
  /// Signals that there may be an element. A stream, because it already handles waiting and cancellation.
  private let bell: AsyncStream<Void>.Continuation

  private init(capacity: Int, overflow: BufferOverflow, bell: AsyncStream<Void>.Continuation) {
    state = Mutex(State(buffer: BoundedBuffer(capacity: capacity, overflow: overflow)))
    self.bell = bell
  }

  /// Creates a mailbox for `capacity` elements, at least one, and its receiver.
  static func make(capacity: Int, overflow: BufferOverflow) -> (mailbox: Mailbox, receiver: Receiver) {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let mailbox = Mailbox(capacity: capacity, overflow: overflow, bell: bell)
    return (mailbox, Receiver(mailbox, rings))
  }

  /// The number of buffered elements, and of elements dropped so far.
  var load: (count: Int, dropped: Int) { state.withLock { ($0.buffer.count, $0.buffer.dropped) } }

  /// Adds `element` without waiting. Returns false if it was dropped, or if the mailbox accepts no elements
  /// any longer.
  @discardableResult
  func yield(_ element: Element) -> Bool {
    let isIn = state.withLock { state -> Bool in
      guard state.ending == nil else { return false }
      switch state.buffer.offer(element) {
      case .stored: return true
      case .dropped: return state.buffer.overflow == .dropOldest
      case .full:
        state.buffer.drop()
        return false
      }
    }
    if isIn { bell.yield() }
    return isIn
  }

  /// Adds `element`, and waits for room if the overflow rule is to wait. Returns false if it was dropped, if
  /// its sender was cancelled before, or if the mailbox accepts no elements any longer.
  @discardableResult
  func send(_ element: Element) async -> Bool {
    let cell = OneShot<Bool>()
    let sender = state.withLock { state -> BoundedBuffer<Element>.Sender? in
      guard state.ending == nil else {
        cell.settle(false)
        return nil
      }
      switch state.buffer.offer(element) {
      case .stored: cell.settle(true)
      case .dropped: cell.settle(state.buffer.overflow == .dropOldest)
      case .full:
        let sender = state.buffer.wait(element)
        state.senders[sender] = cell
        return sender
      }
      return nil
    }
    guard let sender else {
      bell.yield()
      return await cell.value
    }
    return await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      leave(sender)
    }
  }

  /// Accepts no further elements. The receiver still gets the buffered elements and those of waiting senders,
  /// then `ending`.
  func finish(_ ending: Result<Void, Failure> = .success(())) {
    state.withLock { $0.ending = $0.ending ?? ending }
    bell.yield()
  }

  /// Accepts no further elements, and drops the others.
  func cancel() {
    let waiting = state.withLock { state in
      state.ending = .success(())
      state.buffer.removeAll()
      defer { state.senders = [:] }
      return state.senders.sorted { $0.key < $1.key }
    }
    for (_, cell) in waiting { cell.settle(false) }
    bell.finish()
  }

  /// Calls `body` once, when the receiver has stopped or is released, or after ``cancel()``.
  func onTermination(_ body: @escaping @Sendable () -> Void) {
    bell.onTermination = { [weak self] _ in
      self?.cancel()
      body()
    }
  }

  private func leave(_ sender: BoundedBuffer<Element>.Sender) {
    let cell = state.withLock { state in
      state.buffer.leave(sender) ? state.senders.removeValue(forKey: sender) : nil
    }
    cell?.settle(false)
  }

  private enum Receipt {
    case element(Element)
    case ended(Result<Void, Failure>)
    case empty
  }

  private func receive() -> Receipt {
    let (receipt, admitted) = state.withLock { state -> (Receipt, OneShot<Bool>?) in
      if let (element, sender) = state.buffer.take() {
        return (.element(element), sender.flatMap { state.senders.removeValue(forKey: $0) })
      }
      guard let ending = state.ending else { return (.empty, nil) }
      // An error is delivered once.
      state.ending = .success(())
      return (.ended(ending), nil)
    }
    admitted?.settle(true)
    return receipt
  }

  /// The receiving end. It delivers the elements in order.
  struct Receiver: AsyncIteratorProtocol {
    private let mailbox: Mailbox
    private var rings: AsyncStream<Void>.Iterator

    /// Holds the only reference to the stream. The end of the stream therefore signals that the receiver is
    /// released.
    fileprivate init(_ mailbox: Mailbox, _ rings: AsyncStream<Void>) {
      self.mailbox = mailbox
      self.rings = rings.makeAsyncIterator()
    }

    /// Returns the next element, or nil if the mailbox has ended or the task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      while true {
        // Checked each time, because there may always be another element.
        if Task.isCancelled {
          mailbox.cancel()
          return nil
        }
        switch mailbox.receive() {
        case .element(let element): return element
        case .ended(let ending):
          try ending.get()
          return nil
        case .empty: if await rings.next(isolation: actor) == nil { return nil }
        }
      }
    }

    mutating func next() async throws(Failure) -> Element? { try await next(isolation: #isolation) }
  }
}
