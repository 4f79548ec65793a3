@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Refreshes under random schedules")
struct RefreshStressTests {
  /// Weak references to the objects that each task retains. Nil when no task is left.
  struct WeakReferences {
    weak let loader: ResourceLoader<NumberDecoder>?
    weak let bytes: ByteLoader?
  }

  @Test(
    "a slot shows only values of its row, never an older one after a newer one, and the newest at the end",
    arguments: 0..<20)
  func schedules(seed: Int) {
    let references = stress(seed: seed)
    #expect(references.loader == nil && references.bytes == nil, "seed \(seed): a task is left")
  }

  private func stress(seed: Int) -> WeakReferences {
    var random = SplitMix64(seed: seed)
    let salt = Int.random(in: 0..<1_000, using: &random)
    let world = RefreshWorld { request in .milliseconds((request.number &* 379 &+ salt) % 3_000) }
    let screen = RefreshScreen(world, slots: 6)
    var rows: [Int?] = Array(repeating: nil, count: 6)
    var steps: [(row: Int?, slot: Int, pause: Double, status: Int?, clearsMemory: Bool)] = []
    for _ in 0..<400 {
      let slot = Int.random(in: 0..<6, using: &random)
      let row = Int.random(in: 0..<8, using: &random) == 0 ? nil : Int.random(in: 1..<5, using: &random)
      let status = [nil, nil, nil, 500, 404][Int.random(in: 0..<5, using: &random)]
      steps.append(
        (
          row, slot, Double.random(in: -1..<2, using: &random), status,
          Int.random(in: 0..<20, using: &random) == 0
        ))
      rows[slot] = row
    }
    let expected = rows
    let observers = world.time.run { [steps] in
      for step in steps {
        world.failureStatus.value = step.status
        if step.clearsMemory { world.clearMemory() }
        await screen.show(step.row, in: step.slot)
        if step.pause > 0 { await world.sleep(step.pause) }
      }
      // All shown values become stale, and each row is loaded once.
      world.failureStatus.value = nil
      await world.sleep(40)
      for slot in expected.indices { await screen.show(nil, in: slot) }
      for (slot, row) in expected.enumerated() { await screen.show(row, in: slot) }
      await world.sleep(40)
      for row in 1..<5 { _ = await world.load(row) }
      await world.sleep(4)
      let newest = 1 + Int((world.timeline.now - .seconds(4)).components.seconds) / 20
      for (slot, row) in expected.enumerated() {
        let value = await screen.value(in: slot)
        // A new version may appear while the last responses arrive.
        let isNewest = row.map {
          [$0 * 1_000 + newest, $0 * 1_000 + newest - 1, $0 * 1_000 + newest + 1].contains(value)
        }
        #expect(
          isNewest ?? (value == nil), "seed \(seed): slot \(slot) shows \(value ?? 0), newest \(newest)")
      }
      #expect(await world.isIdle(), "seed \(seed)")
      await screen.release()
      return world.loader.observers.count
    }
    #expect(observers == 0, "seed \(seed): an observer is left")
    #expect(world.origin.counters.duplicates == 0, "seed \(seed)")
    #expect(
      world.bytes.events.counters.refreshes > 20, "seed \(seed): too few refreshes for a conclusion")
    checkStates(screen.states, steps.map { ($0.row, $0.slot) }, seed)
    return WeakReferences(loader: world.loader, bytes: world.bytes)
  }

  /// Checks that each slot shows only values of rows to which it was bound. Between two placeholders, the
  /// versions of a row only grow.
  private func checkStates(_ states: [[String]], _ steps: [(row: Int?, slot: Int)], _ seed: Int) {
    for (slot, states) in states.enumerated() {
      let rows = Set(steps.filter { $0.slot == slot }.compactMap(\.row))
      var shown: Int?
      for state in states {
        guard let value = Int(state.prefix { $0.isNumber }) else {
          shown = nil
          continue
        }
        #expect(rows.contains(value / 1_000), "seed \(seed): slot \(slot) showed \(state)")
        if let shown, shown / 1_000 == value / 1_000, state.hasSuffix("network") {
          #expect(shown < value, "seed \(seed): slot \(slot) went back to \(state)")
        }
        shown = value
      }
    }
  }
}
