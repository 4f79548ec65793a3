@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A list with few slots and many rows, like a table view that reuses its cells.
actor ReusingScreen {
  private var slots: [Slot<NumberDecoder>] = []
  private let tally: Shared<Tally>
  private var rows: [Int?]

  struct Tally {
    var shown = 0
    var wrong = 0
    var failed = 0
  }

  init(slots count: Int, tally: Shared<Tally>) {
    self.tally = tally
    rows = Array(repeating: nil, count: count)
  }

  func makeSlots(_ loader: ResourceLoader<NumberDecoder>) {
    slots = rows.indices.map { index in
      Slot(loader) { [weak self] state in
        // The display must run on this actor; otherwise this traps.
        self?.assumeIsolated { $0.display(state, in: index) }
      }
    }
  }

  func show(_ row: Int?, in slot: Int) {
    rows[slot] = row
    slots[slot].show(row.map { NumberRequest($0, priority: .visible) })
  }

  private func display(_ state: SlotState<Int>, in slot: Int) {
    tally.update { tally in
      guard case .shown(let value, _) = state else {
        if case .failed = state { tally.failed += 1 }
        return
      }
      tally.shown += 1
      if value != rows[slot] { tally.wrong += 1 }
    }
  }
}

@Suite("Slot reuse under random schedules", .thorough)
struct SlotReuseTests {
  /// 20 000 schedules of 3 slots, 100 000 in the long form, with random rows, times, transfer times and
  /// cancellations. Slots are bound again before their results arrive.
  @Test("a slot never shows the image of another row", arguments: 0..<TestScope.rounds(2, soak: 10))
  func neverWrong(seed: Int) {
    var random = SplitMix64(seed: seed)
    let tally = Shared(ReusingScreen.Tally())
    var bindings = 0
    for _ in 0..<10_000 {
      let salt = Int.random(in: 0..<1_000, using: &random)
      let world = NumberWorld(
        memory: 8 * (8 + MemoryCacheLimit.entryCost) * Int.random(in: 0..<5, using: &random)
      ) { request in
        .init(after: .microseconds((request.number &* 131 &+ salt) % 400), request.success())
      }
      let screen = ReusingScreen(slots: 3, tally: tally)
      let steps = (0..<5).map { _ in
        (
          row: Int.random(in: 0..<6, using: &random), slot: Int.random(in: 0..<3, using: &random),
          pause: Int.random(in: -2..<200, using: &random), clears: Int.random(in: 0..<10, using: &random) == 0
        )
      }
      bindings += steps.count
      world.timeline.spawn {
        await screen.makeSlots(world.loader)
        for step in steps {
          await screen.show(step.clears ? nil : step.row, in: step.slot)
          if step.pause > 0 { try? await world.timeline.sleep(for: .microseconds(step.pause)) }
          if step.pause == 0 { await Task.yield() }
        }
      }
      world.time.run()
      #expect(world.origin.running == 0 && world.origin.counters.duplicates == 0, "seed \(seed)")
    }
    let result = tally.value
    #expect(result.wrong == 0 && result.failed == 0, "seed \(seed)")
    #expect(result.shown > bindings / 10, "seed \(seed): too few images for a conclusion")
  }
}
