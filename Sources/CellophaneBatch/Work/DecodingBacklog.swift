internal import Cellophane
internal import Synchronization

/// Lets as many pictures be under way at once as keep the decoders busy, whatever the number of jobs. Where the network
/// is the faster of the two, bodies would pile up in front of the decoders, and take memory and processor caches from
/// them.
final class DecodingBacklog: Sendable {
  private struct State {
    /// How many may be under way, from before they are asked for until they are written.
    var most: Int
    var underWay = 0
    /// How many bodies have arrived and are not decoded.
    var bodies = 0
    /// How long decoders have lacked work since the watch looked last, all together, until `countedAt`.
    var lack = Duration.zero
    var countedAt = Duration.zero
    var lookedAt = Duration.zero
    /// Of the bodies that have arrived, the last counting for an eighth; nil before the first.
    var meanBytes: Int?
    /// Whether none has arrived since the watch looked last.
    var isStill = true
    var idle: [OneShot<Void>] = []
    var watch: Task<Void, Never>?

    /// Counts what `decoders` have lacked until `now`, when the number of bodies changes.
    mutating func countLack(of decoders: Int, until now: Duration) {
      lack += (now - countedAt) * max(0, decoders - bodies)
      countedAt = now
    }

    /// Begins to count what is lacking anew.
    mutating func look(now: Duration) { (lack, countedAt, lookedAt, isStill) = (.zero, now, now, true) }
  }

  /// How many are under way for each decoder at first. 8: with two decoders, 400 photographs of 650 KB from the same
  /// machine took 1.84 s with 4, 1.77 with 8, 1.92 with 16 and 1.95 with 32.
  static let initial = 8
  /// How long nothing arrives before twice as many are let in. 50 ms: the round trip of a good line; what answers sooner
  /// has done so by then.
  static let patience = Duration.milliseconds(50)

  /// How much may be under way for each decoder, about, where each body that finds one without work lets one more in. 8 MB:
  /// what a line of a gigabit brings in 65 ms. Where the decoders take the processors, bodies come late although the
  /// network is fast, and 400 photographs of 650 KB took 85 MB of memory with 64 under way, 59 with 24, in the same time.
  static let mostBytes = 8_000_000

  private let decoders: Int
  /// How much of the time decoders are without work, all together, when they lack bodies. A tenth each, but no more than
  /// half of one: where two take the processors from what receives, each is without work at many a moment, though for 1
  /// to 8 hundredths of the time, and more bodies only take memory: with 400 photographs of 700 KB 72 to 82 MB, not 67
  /// to 72.
  private var lackingShare: Double { min(0.1 * Double(decoders), 0.5) }
  private let timeline: Timeline
  private let state: Mutex<State>

  init(decoders: Int, timeline: Timeline) {
    self.decoders = decoders
    self.timeline = timeline
    state = Mutex(State(most: decoders * Self.initial))
  }

  /// Waits until one more may be under way; false when the task is cancelled. ``leave()`` ends it.
  func enter() async -> Bool {
    while !Task.isCancelled {
      let cell = state.withLock { state -> OneShot<Void>? in
        if state.underWay < state.most {
          state.underWay += 1
          return nil
        }
        let cell = OneShot<Void>()
        state.idle.append(cell)
        if state.watch == nil { state.watch = timeline.spawn { [weak self] in await self?.watch() } }
        return cell
      }
      guard let cell else { return true }
      await withTaskCancellationHandler {
        await cell.value
      } onCancel: {
        cell.settle(())
      }
    }
    // It may have been woken for a place that it leaves to another.
    wake()
    return false
  }

  /// Ends what ``enter()`` began.
  func leave() {
    state.withLock { $0.underWay -= 1 }
    wake()
  }

  /// A body of so many bytes waits for a decoder from now on.
  func bodyArrived(_ bytes: Int) {
    state.withLock { state in
      state.countLack(of: decoders, until: timeline.now)
      let mean = state.meanBytes.map { $0 + (bytes - $0) / 8 } ?? bytes
      state.meanBytes = mean
      if state.bodies < decoders {
        if state.underWay >= state.most, mean * state.most < Self.mostBytes * decoders { state.most += 1 }
      } else if state.bodies >= 3 * decoders {
        // Beside those in their hands the decoders have two each: the network is fast enough with one less.
        state.most = max(decoders * Self.initial, state.most - 1)
      }
      state.bodies += 1
      state.isStill = false
    }
    wake()
  }

  /// What ``bodyArrived(_:)`` told of is decoded, or cannot be.
  func bodyDecoded() {
    state.withLock { state in
      state.countLack(of: decoders, until: timeline.now)
      state.bodies -= 1
    }
  }

  /// Ends the watch over the decoders, once nobody enters any more.
  func close() {
    let watch = state.withLock { state in
      defer { state.watch = nil }
      return state.watch
    }
    watch?.cancel()
  }

  /// Lets more in whenever the decoders lacked work for long enough while somebody waits: what is under way is slow, and
  /// holds others up. Twice as many where nothing arrives, else one, however large it may be.
  private func watch() async {
    state.withLock { $0.look(now: timeline.now) }
    while (try? await timeline.sleep(for: Self.patience)) != nil {
      let isOver = state.withLock { state in
        if state.idle.isEmpty {
          state.watch = nil
          return true
        }
        let now = timeline.now
        state.countLack(of: decoders, until: now)
        if state.lack > (now - state.lookedAt) * lackingShare { state.most += state.isStill ? state.most : 1 }
        state.look(now: now)
        return false
      }
      if isOver { return }
      wake()
    }
  }

  /// Wakes as many as there is room for; who was cancelled meanwhile does not count.
  private func wake() {
    var room = state.withLock { $0.most - $0.underWay }
    while room > 0, let cell = state.withLock({ $0.idle.popLast() }) {
      if cell.settle(()) { room -= 1 }
    }
  }
}
