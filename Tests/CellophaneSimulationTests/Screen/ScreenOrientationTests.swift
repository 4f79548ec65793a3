import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneSimulation

@Suite struct ScreenOrientationTests {
  static func configuration(
    _ kind: ListKind, turnedAt times: Duration...
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
  func `every length doubles with the width, and the row at the top stays there`(kind: ListKind) throws {
    let orientations = try ScreenOrientation.all(
      of: Self.configuration(kind, turnedAt: .seconds(4), .seconds(7)))
    #expect(orientations.map(\.start) == [.zero, .seconds(4), .seconds(7)])
    #expect(orientations.map(\.isRotated) == [false, true, false])
    let (upright, turned) = (orientations[0].layout, orientations[1].layout)
    #expect(orientations[2].layout == upright)
    #expect(turned.viewport == PixelSize(width: 800, height: 400))
    #expect(turned.rows == upright.rows && turned.columns == upright.columns)
    for row in [0, 1, 17, 299] {
      let (before, after) = (upright.pictureSize(of: row), turned.pictureSize(of: row))
      #expect(after.width == 2 * before.width)
      // A drawn height is rounded once more.
      #expect(abs(after.height - 2 * before.height) <= 1)
    }
    for (before, after) in zip(orientations, orientations.dropFirst()) {
      let offset = before.offset(at: after.start)
      let row = before.layout.visibleRows(at: offset).lowerBound
      #expect(after.layout.visibleRows(at: after.offset(at: after.start)).lowerBound == row)
      #expect(after.state(at: after.start).velocity == 0)
    }
  }

  @Test func `a rotation at once, two at a time and one after the end are played too`() throws {
    let early = try ScreenOrientation.all(of: Self.configuration(.rows, turnedAt: .zero))
    #expect(early.map(\.isRotated) == [false, true])
    let double = try ScreenOrientation.all(of: Self.configuration(.rows, turnedAt: .seconds(5), .seconds(5)))
    #expect(double.map(\.isRotated) == [false, true, false])
    #expect(abs(double[2].offset(at: .seconds(5)) - double[0].offset(at: .seconds(5))) < 1)
    let late = try ScreenOrientation.all(of: Self.configuration(.rows, turnedAt: .seconds(10)))
    #expect(late.count == 1)
  }

  @Test func `before it is turned a list moves as one that never is`() throws {
    let turned = try ScreenOrientation.all(of: Self.configuration(.cards, turnedAt: .seconds(6)))[0]
    let upright = try ScreenOrientation.all(of: Self.configuration(.cards))[0]
    for frame in 0..<360 {
      let time = Duration.seconds(frame) / 60
      #expect(turned.offset(at: time) == upright.offset(at: time))
    }
  }

  @Test func `a shuttle goes on from where the list is`() {
    let trajectory = ScrollTrajectory(
      profile: .constant(100), physics: .ios, limit: 1_000, from: 950, seed: 1, lasting: .seconds(30))
    #expect(trajectory.offset(at: .zero) == 950)
    #expect(trajectory.offset(at: .milliseconds(500)) == 1_000)
    #expect(trajectory.offset(at: .seconds(1)) == 950)
    #expect(trajectory.velocity(at: .seconds(1)) == -100)
    #expect(trajectory.offset(at: .milliseconds(10_500)) == 0)
  }

  @Test func `what is on the screen is asked for at its new size, and its bytes are not transferred again`()
    async throws
  {
    var configuration = Self.configuration(.rows, turnedAt: .seconds(5))
    // Nothing moves.
    configuration.gesture.profile = .constant(1)
    configuration.loader.prefetch = .none
    let turned = try await Simulation(configuration).run()
    configuration.events = []
    let upright = try await Simulation(configuration).run()
    let (after, before) = (turned.metrics.run, upright.metrics.run)
    #expect(turned.invariants.broken == [])
    #expect(after[.transfers] == before[.transfers])
    // 400 px have four rows of 240, and some of the first are still there.
    #expect(after.timeToImage.count > before.timeToImage.count)
    #expect(after[.blankPixelSeconds] ?? 0 > before[.blankPixelSeconds] ?? 0)
  }

  /// Keeps what happens to slots.
  private final class SlotEvents: RunObserver {
    let all = Notes<RunEvent>()

    func note(_ event: RunEvent, at time: Duration) {
      switch event {
      case .bound, .displayed: all.add(event)
      default: break
      }
    }
  }

  /// What happens to the slots of `contender`'s list on a slow line, and how many each posture has.
  private func slotEvents(_ contender: LoaderUnderTest) async throws -> (events: [RunEvent], slots: [Int]) {
    var configuration = Self.configuration(.rows, turnedAt: .seconds(4), .seconds(7))
    configuration.network.profile = try NetworkProfile(parsing: "wpt-3gfast")
    configuration.gesture.profile = .stress
    let orientations = try ScreenOrientation.all(of: configuration)
    let world = try VirtualWorld(configuration, layout: orientations[0].layout, rows: 300, connections: 6)
    let events = SlotEvents()
    let trial = Trial(
      configuration: configuration, orientations: orientations, world: world, observers: [events])
    let observation = try await trial.run(contender)
    #expect(observation.waitingRows.isEmpty)
    return (events.all.all, orientations.map(\.layout.slots))
  }

  @Test func `the slots of a turned screen are used again, each told its row before it shows anything`()
    async throws
  {
    let (events, slots) = try await slotEvents(.cellophane)
    #expect(slots[1] < slots[0])
    var rows: [Int: Int] = [:]
    var given = 0
    for event in events {
      switch event {
      case .bound(let slot, let row): rows[slot] = row
      case .displayed(let slot, nil, let state):
        guard case .empty = state else {
          Issue.record("slot \(slot) shows \(state) for nothing")
          continue
        }
        rows[slot] = nil
        given += 1
      case .displayed(let slot, let row?, _): #expect(rows[slot] == row)
      default: break
      }
    }
    #expect(given > slots[1])
    #expect(Set(rows.keys).isSubset(of: 0..<slots[0]))
  }

  @Test func `a naive list takes other slots when it is turned, and what comes late comes to those before`()
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
