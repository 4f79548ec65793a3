import Cellophane
@testable import CellophaneResults
import Testing

@Suite struct ScrollTrajectoryTests {
  static let profiles = ScrollProfile.named + [.constant(7000), .constant(333)]

  static func samples(_ trajectory: ScrollTrajectory, for length: Duration) -> [Double] {
    stride(from: 0.0, to: length.seconds, by: 1.0 / 120).map { trajectory.offset(at: .seconds($0)) }
  }

  @Test(arguments: profiles, ScrollPhysics.allCases)
  func `equal seeds give equal trajectories, and different seeds give different ones`(
    profile: ScrollProfile, physics: ScrollPhysics
  ) {
    func run(_ seed: UInt64) -> ScrollTrajectory {
      ScrollTrajectory(profile: profile, physics: physics, limit: 20_000, seed: seed, lasting: .seconds(20))
    }
    #expect(run(1) == run(1))
    if profile.gestures != nil { #expect(run(1) != run(2)) }
  }

  @Test(arguments: profiles, ScrollPhysics.allCases)
  func `a longer run begins like a shorter run`(profile: ScrollProfile, physics: ScrollPhysics) {
    func run(_ seconds: Int) -> [Double] {
      let trajectory = ScrollTrajectory(
        profile: profile, physics: physics, limit: 20_000, seed: 5, lasting: .seconds(seconds))
      return Self.samples(trajectory, for: .seconds(10))
    }
    #expect(run(10) == run(30))
  }

  @Test(arguments: profiles, [0.0, 100, 9000])
  func `offsets stay within the list, in multiples of 1/64 px, and change no faster than the velocity`(
    profile: ScrollProfile, limit: Double
  ) {
    for seed in 0..<5 as Range<UInt64> {
      let trajectory = ScrollTrajectory(
        profile: profile, physics: .ios, limit: limit, seed: seed, lasting: .seconds(20))
      #expect(trajectory.duration >= .seconds(20))
      let step = Duration.milliseconds(2)
      var previous = 0.0
      for tick in 0..<10_000 {
        let time = step * tick
        let offset = trajectory.offset(at: time)
        guard (0...limit).contains(offset), (offset * 64).rounded() == offset * 64 else {
          Issue.record("offset \(offset) at \(time), seed \(seed)")
          return
        }
        let speed = max(abs(trajectory.velocity(at: time)), abs(trajectory.velocity(at: time - step)))
        // 8000 px/s and the maximum carried momentum, because a release lies between two samples.
        let fastest = speed == 0 ? 0 : max(speed, 48_000)
        if abs(offset - previous) > 0.05 + step.seconds * fastest {
          Issue.record("offset changes from \(previous) to \(offset) at \(time), seed \(seed)")
          return
        }
        previous = offset
      }
    }
  }

  @Test func `faster profiles reach farther down a list`() {
    func reach(_ profile: ScrollProfile) -> Double {
      (0..<20 as Range<UInt64>).reduce(0) { sum, seed in
        let trajectory = ScrollTrajectory(
          profile: profile, physics: .ios, limit: 1_000_000, seed: seed, lasting: .seconds(20))
        return sum + (Self.samples(trajectory, for: .seconds(20)).max() ?? 0)
      }
    }
    #expect(reach(.reader) < reach(.browser))
    #expect(reach(.browser) < reach(.skimmer))
    #expect(reach(.skimmer) < reach(.stress))
  }

  @Test func `a constant scroll crosses the list and returns`() {
    let trajectory = ScrollTrajectory(
      profile: .constant(1000), physics: .ios, limit: 5000, seed: 0, lasting: .seconds(15))
    #expect(trajectory.offset(at: .seconds(2)) == 2000)
    #expect(trajectory.offset(at: .seconds(5)) == 5000)
    #expect(trajectory.offset(at: .seconds(7)) == 3000)
    #expect(trajectory.velocity(at: .seconds(7)) == -1000)
    #expect(trajectory.offset(at: .seconds(11)) == 1000)
  }

  @Test(arguments: profiles) func `a profile is parsed from its name`(profile: ScrollProfile) throws {
    #expect(try ScrollProfile(parsing: profile.name) == profile)
  }

  @Test(arguments: [
    "", "Reader", "constant", "constant:", "constant:x", "constant:0", "constant:-5", "constant:nan",
    "constant:1e9",
  ])
  func `an unknown profile is refused`(text: String) {
    #expect(throws: LoadError.self) { try ScrollProfile(parsing: text) }
  }
}
