internal import Synchronization

/// The memory that the bodies of all loads in progress share.
///
/// A body takes its memory when its head states its length, and takes more when it grows beyond that. A load without
/// enough memory releases all that it has, waits, and repeats its request. No load that holds memory waits for more, so
/// there is no deadlock. A body that is larger than the whole memory gets it when no other load holds any.
package final class BodyMemory: Sendable {
  /// The memory of one load. It is released with the last reference.
  package final class Share: Sendable {
    private let memory: BodyMemory
    /// The bytes taken. Written under the lock of `memory`.
    fileprivate let held = Atomic(0)

    fileprivate init(of memory: BodyMemory) { self.memory = memory }

    deinit { memory.release(self) }
  }

  private struct Waiter {
    let share: Share
    let bytes: Int
    let priority: LivePriority
    /// True once the bytes are taken; false after a cancellation.
    let cell: OneShot<Bool>
  }

  private struct State {
    var used = 0
    var waiters: [Waiter] = []
    /// The moving average of the bytes of a load, with a weight of 1/8 for the last one; nil before the first.
    var usual: Int?

    mutating func set(_ share: Share, to bytes: Int) {
      used += bytes - share.held.exchange(bytes, ordering: .relaxed)
    }

    /// Gives free memory to waiters: the most urgent first, and among these the oldest. Returns their cells.
    mutating func admit(within limit: Int) -> [OneShot<Bool>] {
      var cells: [OneShot<Bool>] = []
      while let next = mostUrgent {
        let waiter = waiters[next]
        guard used == 0 || waiter.bytes <= limit - used else { break }
        waiters.remove(at: next)
        set(waiter.share, to: waiter.bytes)
        cells.append(waiter.cell)
      }
      return cells
    }

    private var mostUrgent: Int? {
      waiters.indices.min { one, other in
        let (first, second) = (waiters[one].priority.current, waiters[other].priority.current)
        return first == second ? one < other : first > second
      }
    }
  }

  /// The memory of this process: a quarter of ``MemoryLimit/ofProcess``; nil without a limit.
  ///
  /// A quarter: decodings take at most half, and caches 15 %. The rest is for buffers of connections and files.
  package static let ofProcess = MemoryLimit.ofProcess.map { BodyMemory(bytes: $0 / 4) }

  /// The number of files that may be read at once until the size of a body is known. 8: twice the queues that
  /// read files.
  fileprivate static let firstReads = 8

  /// The size of the memory.
  package let bytes: Int
  private let state = Mutex(State())

  /// Creates a memory of `bytes`.
  package init(bytes: Int) { self.bytes = bytes }

  /// The bytes that loads have taken, and the number of loads that wait for memory.
  package var load: (used: Int, waiting: Int) { state.withLock { ($0.used, $0.waiters.count) } }

  /// Returns the share of a new load, without memory.
  package func share() -> Share { Share(of: self) }
}

extension BodyMemory.Share {
  /// Raises the memory to `bytes`. False when there is not enough; the share then stays the same.
  ///
  /// A load without memory gets none while others wait, because they come first.
  package func grow(to bytes: Int) -> Bool {
    let held = held.load(ordering: .relaxed)
    if bytes <= held { return true }
    return memory.state.withLock { state in
      let others = state.used - held
      let isFree = bytes <= memory.bytes - others && (held > 0 || state.waiters.isEmpty)
      guard isFree || others == 0 else { return false }
      state.set(self, to: bytes)
      return true
    }
  }

  /// Lowers the memory to `bytes`.
  package func shrink(to bytes: Int) {
    guard bytes < held.load(ordering: .relaxed) else { return }
    memory.change { $0.set(self, to: bytes) }
  }

  /// Sets the memory to `bytes`, the size of a body that was read already.
  package func count(_ bytes: Int) {
    if bytes != held.load(ordering: .relaxed) { memory.change { $0.set(self, to: bytes) } }
  }

  /// Takes the memory of a usual body before a file is read, whose size is not known. Waits for it if necessary.
  package func prepareReading(_ priority: LivePriority) async throws(LoadError) {
    guard held.load(ordering: .relaxed) == 0 else { return }
    let usual = memory.state.withLock { $0.usual } ?? memory.bytes / BodyMemory.firstReads
    if !grow(to: usual) { try await wait(for: usual, priority) }
  }

  /// Waits for the memory of a usual body if it is not free or others wait, so that no request is sent in vain.
  package func prepareRequest(_ priority: LivePriority) async throws(LoadError) {
    guard held.load(ordering: .relaxed) == 0 else { return }
    let usual = memory.state.withLock { state in
      state.usual.flatMap { state.waiters.isEmpty && $0 <= memory.bytes - state.used ? nil : $0 }
    }
    if let usual { try await wait(for: usual, priority) }
  }

  /// Releases all memory, and waits for `bytes`; for the whole memory if that is less.
  ///
  /// - Throws: ``LoadError/cancelled`` when the task is cancelled.
  package func wait(for bytes: Int, _ priority: LivePriority) async throws(LoadError) {
    let cell = OneShot<Bool>()
    memory.change { state in
      state.set(self, to: 0)
      state.waiters.append(
        BodyMemory.Waiter(share: self, bytes: min(bytes, memory.bytes), priority: priority, cell: cell))
    }
    let isAdmitted = await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      if cell.settle(false) { memory.change { $0.waiters.removeAll { $0.cell === cell } } }
    }
    if !isAdmitted { throw .cancelled }
  }
}

extension BodyMemory {
  /// Changes the state, and then gives free memory to the waiters.
  private func change(_ change: (inout State) -> Void) {
    let cells = state.withLock { state in
      change(&state)
      return state.admit(within: bytes)
    }
    for cell in cells { cell.settle(true) }
  }

  private func release(_ share: Share) {
    let held = share.held.load(ordering: .relaxed)
    if held == 0 { return }
    change { state in
      state.usual = state.usual.map { $0 + (held - $0) / 8 } ?? held
      state.used -= held
    }
  }
}
