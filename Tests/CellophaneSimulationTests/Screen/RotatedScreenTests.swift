import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import SimulationTestSupport

@Suite struct RotatedScreenTests {
  @Test func `after a rotation, visible images load at their new size without another transfer`()
    async throws
  {
    var configuration = RotationFixture.configuration(.rows, rotatedAt: .seconds(5))
    // The list hardly moves.
    configuration.gesture.profile = .constant(1)
    configuration.loader.prefetch = .none
    let rotated = try await Simulation(configuration).run()
    configuration.events = []
    let upright = try await Simulation(configuration).run()
    let (after, before) = (rotated.metrics.run, upright.metrics.run)
    #expect(rotated.invariants.broken == [])
    #expect(after[.transfers] == before[.transfers])
    // The rotated screen has 400 px and rows of 240 px. Some of the first rows are still visible.
    #expect(after.timeToImage.count > before.timeToImage.count)
    #expect(after[.blankPixelSeconds] ?? 0 > before[.blankPixelSeconds] ?? 0)
  }

  /// Keeps the events of the slots.
  private final class SlotEvents: RunObserver {
    let all = Notes<RunEvent>()

    func note(_ event: RunEvent, at time: Duration) {
      switch event {
      case .bound, .displayed: all.add(event)
      default: break
      }
    }
  }

  /// Returns the slot events of `loader` over a slow link, and the number of slots in each orientation.
  private func slotEvents(_ loader: LoaderUnderTest) async throws -> (events: [RunEvent], slots: [Int]) {
    var configuration = RotationFixture.configuration(.rows, rotatedAt: .seconds(4), .seconds(7))
    configuration.network.profile = try NetworkProfile(parsing: "wpt-3gfast")
    configuration.gesture.profile = .stress
    let orientations = try ScreenOrientation.all(of: configuration)
    let world = try VirtualWorld(configuration, layout: orientations[0].layout, rows: 300, connections: 6)
    let events = SlotEvents()
    let trial = Trial(
      configuration: configuration, orientations: orientations, world: world, observers: [events])
    let observation = try await trial.run(loader)
    #expect(observation.waitingRows.isEmpty)
    return (events.all.all, orientations.map(\.layout.slots))
  }

  @Test func `a rotated screen reuses its slots, and binds each slot before it shows an image`()
    async throws
  {
    let (events, slots) = try await slotEvents(.cellophane)
    #expect(slots[1] < slots[0])
    var rows: [Int: Int] = [:]
    var emptied = 0
    for event in events {
      switch event {
      case .bound(let slot, let row): rows[slot] = row
      case .displayed(let slot, nil, let state):
        guard case .empty = state else {
          Issue.record("slot \(slot) shows \(state) without a row")
          continue
        }
        rows[slot] = nil
        emptied += 1
      case .displayed(let slot, let row?, _): #expect(rows[slot] == row)
      default: break
      }
    }
    #expect(emptied > slots[1])
    #expect(Set(rows.keys).isSubset(of: 0..<slots[0]))
  }

  @Test func `a naive list uses new slots after a rotation, and late results go to the old slots`()
    async throws
  {
    let (events, slots) = try await slotEvents(.naive)
    var bound: Set<Int> = []
    var late: Set<Int> = []
    for event in events {
      switch event {
      case .bound(let slot, _): bound.insert(slot)
      case .displayed(let slot, nil, .shown): late.insert(slot)
      default: break
      }
    }
    #expect(bound.max() ?? 0 >= slots[0] + slots[1])
    #expect(!late.isEmpty && late.isSubset(of: 0..<slots[0] + slots[1]))
  }
}
