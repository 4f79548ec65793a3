import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneSimulation

/// A long run, most of which is not kept, is the one that somebody would see who kept all.
@Suite struct ScrollReaderTests {
  static let length = Duration.seconds(3_600)

  /// All gestures of such a run in one path.
  static func whole(_ gestures: GestureParameters, limit: Double, seed: UInt64) -> ScrollPath {
    var generator = GestureGenerator(gestures: gestures, physics: .ios, draw: SeededDraw(seed: seed))
    var path = ScrollPath(limit: limit, from: 0)
    while path.end < length { generator.move(&path, until: length) }
    return path
  }

  @Test(arguments: [ScrollProfile.reader, .browser, .skimmer, .stress])
  func `an hour is the same in parts as in one piece`(profile: ScrollProfile) throws {
    let limit = 100_000.0
    let whole = Self.whole(try #require(profile.gestures), limit: limit, seed: 3)
    let trajectory = ScrollTrajectory(
      profile: profile, physics: .ios, limit: limit, seed: 3, lasting: Self.length)
    #expect(trajectory.duration == whole.end && trajectory.finalOffset == whole.finalOffset)
    #expect(!trajectory.checkpoints.isEmpty)
    #expect(trajectory.opening.segments.count < whole.segments.count / 2)
    let segments =
      trajectory.opening.segments + trajectory.checkpoints.flatMap { trajectory.path(at: $0.start).segments }
    #expect(segments == whole.segments)

    let start = Duration.seconds(7)
    var reader = ScrollReader(trajectory, from: start)
    for tick in 0...14_500 {
      let time = Duration.milliseconds(250) * tick
      let (read, expected) = (reader.state(at: start + time), whole.state(at: time))
      guard read.offset == expected.offset, read.velocity == expected.velocity, read.fling == expected.fling
      else {
        Issue.record("\(read) instead of \(expected) at \(time)")
        return
      }
    }
  }

  @Test func `any time may be asked for`() throws {
    let limit = 100_000.0
    let whole = Self.whole(try #require(ScrollProfile.browser.gestures), limit: limit, seed: 5)
    let trajectory = ScrollTrajectory(
      profile: .browser, physics: .ios, limit: limit, seed: 5, lasting: Self.length)
    let draw = SeededDraw(seed: 1)
    for sample in 0..<200 {
      let time = Duration.milliseconds(Int(draw.uniform("time", sample) * 3_700_000))
      #expect(trajectory.offset(at: time) == whole.state(at: time).offset, "\(time)")
      #expect(trajectory.velocity(at: time) == whole.state(at: time).velocity, "\(time)")
    }
  }
}
