internal import Cellophane
internal import Synchronization

/// A limit of the images in progress that adapts to the decoders, for any number of jobs. If the network is
/// faster than the decoders, bodies would otherwise accumulate and take memory and processor caches from the
/// decoders.
final class DecodingBacklog: Sendable {
  private struct State {
    /// The limit of images in progress, from before their requests to their output.
    var limit: Int
    var inProgress = 0
    /// The number of bodies that have arrived and are not decoded.
    var bodies = 0
    /// The sum of the idle times of all decoders since the last check, up to `countedAt`.
    var idleTime = Duration.zero
    var countedAt = Duration.zero
    var checkedAt = Duration.zero
    /// The moving average of the body sizes, with a weight of 1/8 for the last one; nil before the first.
    var meanBytes: Int?
    /// Whether no body has arrived since the last check.
    var isStalled = true
    var waiters: [OneShot<Void>] = []
    var monitor: Task<Void, Never>?

    /// Adds the idle time of `decoders` until `now`. Called when the number of bodies changes.
    mutating func countIdleTime(of decoders: Int, until now: Duration) {
      idleTime += (now - countedAt) * max(0, decoders - bodies)
      countedAt = now
    }

    /// Restarts the measurement.
    mutating func restart(now: Duration) {
      (idleTime, countedAt, checkedAt, isStalled) = (.zero, now, now, true)
    }
  }

  /// The initial limit per decoder. 8: with two decoders, 400 photographs of 650 KB from the same machine
  /// took 1.84 s with 4, 1.77 s with 8, 1.92 s with 16 and 1.95 s with 32.
  static let initial = 8
  /// The interval of the checks. If no body arrives in it, the limit doubles. 50 ms: the round trip of a good
  /// network; a faster origin has responded by then.
  static let patience = Duration.milliseconds(50)

  /// The approximate maximum of bytes in progress per decoder up to which a body that finds an idle decoder
  /// raises the limit. 8 MB: the bytes that a gigabit network delivers in 65 ms. If the decoders use all
  /// processors, bodies are late although the network is fast. Then 400 photographs of 650 KB took 85 MB of
  /// memory with a limit of 64, and 59 MB with 24, in the same time.
  static let mostBytes = 8_000_000

  private let decoders: Int
  /// The share of idle time, summed over the decoders, above which they lack bodies. A tenth for each, but at
  /// most half of one decoder. If two decoders take the processors from the receiver, each is idle for 1 to 8
  /// % of the time. More bodies would then only take memory: 72 to 82 MB instead of 67 to 72 MB with 400
  /// photographs of 700 KB.
  private var idleShareLimit: Double { min(0.1 * Double(decoders), 0.5) }
  private let timeline: Timeline
  private let state: Mutex<State>

  init(decoders: Int, timeline: Timeline) {
    self.decoders = decoders
    self.timeline = timeline
    state = Mutex(State(limit: decoders * Self.initial))
  }

  /// Waits for a free slot. Returns false if the task is cancelled. ``leave()`` frees the slot.
  func enter() async -> Bool {
    while !Task.isCancelled {
      let cell = state.withLock { state -> OneShot<Void>? in
        if state.inProgress < state.limit {
          state.inProgress += 1
          return nil
        }
        let cell = OneShot<Void>()
        state.waiters.append(cell)
        if state.monitor == nil {
          state.monitor = timeline.spawn { [weak self] in await self?.monitor() }
        }
        return cell
      }
      guard let cell else { return true }
      await withTaskCancellationHandler {
        await cell.value
      } onCancel: {
        cell.settle(())
      }
    }
    // The task may have been woken for a slot that another one must take now.
    wake()
    return false
  }

  /// Frees the slot of ``enter()``.
  func leave() {
    state.withLock { $0.inProgress -= 1 }
    wake()
  }

  /// Notes that a body of `bytes` bytes waits for a decoder. Raises the limit by one if a decoder was idle, and lowers
  /// it by one if many bodies wait.
  func bodyArrived(_ bytes: Int) {
    state.withLock { state in
      state.countIdleTime(of: decoders, until: timeline.now)
      let mean = state.meanBytes.map { $0 + (bytes - $0) / 8 } ?? bytes
      state.meanBytes = mean
      if state.bodies < decoders {
        if state.inProgress >= state.limit, mean * state.limit < Self.mostBytes * decoders {
          state.limit += 1
        }
      } else if state.bodies >= 3 * decoders {
        // For each decoder, two bodies wait besides the one in use: the network is fast enough with one slot less.
        state.limit = max(decoders * Self.initial, state.limit - 1)
      }
      state.bodies += 1
      state.isStalled = false
    }
    wake()
  }

  /// Notes that a body of ``bodyArrived(_:)`` was decoded or failed.
  func bodyDecoded() {
    state.withLock { state in
      state.countIdleTime(of: decoders, until: timeline.now)
      state.bodies -= 1
    }
  }

  /// Ends the monitor. To be called when no task calls ``enter()`` any more.
  func close() {
    let monitor = state.withLock { state in
      defer { state.monitor = nil }
      return state.monitor
    }
    monitor?.cancel()
  }

  /// Raises the limit at each check in which the decoders were idle for long enough while a task waits: the
  /// images in progress are slow and delay others. Doubles the limit if no body arrived, and else raises it
  /// by one, for bodies of any size.
  private func monitor() async {
    state.withLock { $0.restart(now: timeline.now) }
    while (try? await timeline.sleep(for: Self.patience)) != nil {
      let isDone = state.withLock { state in
        if state.waiters.isEmpty {
          state.monitor = nil
          return true
        }
        let now = timeline.now
        state.countIdleTime(of: decoders, until: now)
        if state.idleTime > (now - state.checkedAt) * idleShareLimit {
          state.limit += state.isStalled ? state.limit : 1
        }
        state.restart(now: now)
        return false
      }
      if isDone { return }
      wake()
    }
  }

  /// Wakes a waiter for each free slot. Cancelled waiters do not count.
  private func wake() {
    var free = state.withLock { $0.limit - $0.inProgress }
    while free > 0, let cell = state.withLock({ $0.waiters.popLast() }) {
      if cell.settle(()) { free -= 1 }
    }
  }
}
