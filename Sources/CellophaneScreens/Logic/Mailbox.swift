internal import Cellophane
internal import Synchronization

/// A bounded buffer between many senders, on any thread, and one receiver. It ends when it is told so, once all that is
/// in it was received, or when the receiver gives up.
final class Mailbox<Element: Sendable, Failure: Error>: Sendable {
  private struct State {
    var buffer: BoundedBuffer<Element>
    var senders: [BoundedBuffer<Element>.Sender: OneShot<Bool>] = [:]
    /// Why no more is taken in.
    var ending: Result<Void, Failure>?
  }

  private let state: Mutex<State>
  /// Rings when there may be something to receive. A stream, because it already knows all about waiting and giving up.
  private let bell: AsyncStream<Void>.Continuation

  private init(capacity: Int, overflow: BufferOverflow, bell: AsyncStream<Void>.Continuation) {
    state = Mutex(State(buffer: BoundedBuffer(capacity: capacity, overflow: overflow)))
    self.bell = bell
  }

  /// A mailbox for `capacity` elements, at least one, and its receiver.
  static func make(capacity: Int, overflow: BufferOverflow) -> (mailbox: Mailbox, receiver: Receiver) {
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let mailbox = Mailbox(capacity: capacity, overflow: overflow, bell: bell)
    return (mailbox, Receiver(mailbox, rings))
  }

  /// How many elements are in it, and how many were dropped so far.
  var load: (count: Int, dropped: Int) { state.withLock { ($0.buffer.count, $0.buffer.dropped) } }

  /// Takes `element` in, or not, without waiting; false when it was dropped itself, or nothing is taken in any more.
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

  /// Takes `element` in, as soon as there is room for it when its rule is to wait; false when it was dropped itself, its
  /// sender was cancelled before it got in, or nothing is taken in any more.
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

  /// Takes in nothing that is sent from now on. What is in or in line is still received, then `ending`.
  func finish(_ ending: Result<Void, Failure> = .success(())) {
    state.withLock { $0.ending = $0.ending ?? ending }
    bell.yield()
  }

  /// Takes nothing in any more and drops what is in or in line.
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

  /// Calls `body` once, when the receiver has given up or is gone, or after ``cancel()``.
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
      // An error comes once; after it there is nothing.
      state.ending = .success(())
      return (.ended(ending), nil)
    }
    admitted?.settle(true)
    return receipt
  }

  /// The one end at which elements come out, in their order.
  struct Receiver: AsyncIteratorProtocol {
    private let mailbox: Mailbox
    private var rings: AsyncStream<Void>.Iterator

    /// Holds the only reference to the stream, whose end thereby tells that the receiver is gone.
    fileprivate init(_ mailbox: Mailbox, _ rings: AsyncStream<Void>) {
      self.mailbox = mailbox
      self.rings = rings.makeAsyncIterator()
    }

    /// The next element; nil once the mailbox has ended, or when the task is cancelled.
    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      while true {
        // Also when there is always something to receive.
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
