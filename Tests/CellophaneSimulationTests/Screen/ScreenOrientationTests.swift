import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct ScreenOrientationTests {
  static func configuration(
    _ kind: ListKind, rotatedAt times: Duration...
  ) -> SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.list.layout = kind
    configuration.list.rows = 300
    configuration.viewport.size = PixelSize(width: 400, height: 800)
    configuration.duration = .seconds(10)
    configuration.replicas = 1
    configuration.events = times.map { ScheduledEvent(.rotation, at: $0) }
    return configuration
  }

  @Test(arguments: ListKind.allCases)
  func `a rotation doubles every length with the width, and the top row stays`(kind: ListKind) throws {
    let orientations = try ScreenOrientation.all(
      of: Self.configuration(kind, rotatedAt: .seconds(4), .seconds(7)))
    #expect(orientations.map(\.start) == [.zero, .seconds(4), .seconds(7)])
    #expect(orientations.map(\.isRotated) == [false, true, false])
    let (upright, rotated) = (orientations[0].layout, orientations[1].layout)
    #expect(orientations[2].layout == upright)
    #expect(rotated.viewport == PixelSize(width: 800, height: 400))
    #expect(rotated.rows == upright.rows && rotated.columns == upright.columns)
    for row in [0, 1, 17, 299] {
      let (before, after) = (upright.pictureSize(of: row), rotated.pictureSize(of: row))
      #expect(after.width == 2 * before.width)
      // A height that the seed draws is rounded twice.
      #expect(abs(after.height - 2 * before.height) <= 1)
    }
    for (before, after) in zip(orientations, orientations.dropFirst()) {
      let offset = before.offset(at: after.start)
      let row = before.layout.visibleRows(at: offset).lowerBound
      #expect(after.layout.visibleRows(at: after.offset(at: after.start)).lowerBound == row)
      #expect(after.state(at: after.start).velocity == 0)
    }
  }

  @Test func `rotations at the start, at the same time and after the end are valid`() throws {
    let early = try ScreenOrientation.all(of: Self.configuration(.rows, rotatedAt: .zero))
    #expect(early.map(\.isRotated) == [false, true])
    let double = try ScreenOrientation.all(of: Self.configuration(.rows, rotatedAt: .seconds(5), .seconds(5)))
    #expect(double.map(\.isRotated) == [false, true, false])
    #expect(abs(double[2].offset(at: .seconds(5)) - double[0].offset(at: .seconds(5))) < 1)
    let late = try ScreenOrientation.all(of: Self.configuration(.rows, rotatedAt: .seconds(10)))
    #expect(late.count == 1)
  }

  @Test func `before its rotation a list moves like one without a rotation`() throws {
    let rotated = try ScreenOrientation.all(of: Self.configuration(.cards, rotatedAt: .seconds(6)))[0]
    let upright = try ScreenOrientation.all(of: Self.configuration(.cards))[0]
    for frame in 0..<360 {
      let time = Duration.seconds(frame) / 60
      #expect(rotated.offset(at: time) == upright.offset(at: time))
    }
  }

  @Test func `a constant motion continues from the offset of the list`() {
    let trajectory = ScrollTrajectory(
      profile: .constant(100), physics: .ios, limit: 1_000, from: 950, seed: 1, lasting: .seconds(30))
    #expect(trajectory.offset(at: .zero) == 950)
    #expect(trajectory.offset(at: .milliseconds(500)) == 1_000)
    #expect(trajectory.offset(at: .seconds(1)) == 950)
    #expect(trajectory.velocity(at: .seconds(1)) == -100)
    #expect(trajectory.offset(at: .milliseconds(10_500)) == 0)
  }

  @Test func `after a rotation, visible images load at their new size without another transfer`()
    async throws
  {
    var configuration = Self.configuration(.rows, rotatedAt: .seconds(5))
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
    var configuration = Self.configuration(.rows, rotatedAt: .seconds(4), .seconds(7))
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
