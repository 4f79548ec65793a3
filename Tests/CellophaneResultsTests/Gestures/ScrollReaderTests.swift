import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults

/// A long trajectory, which is stored in parts, against the same run in one path.
@Suite struct ScrollReaderTests {
  static let length = Duration.seconds(3_600)

  /// Returns all gestures of a run in one path.
  static func completePath(_ gestures: GestureParameters, limit: Double, seed: UInt64) -> ScrollPath {
    var generator = GestureGenerator(gestures: gestures, physics: .ios, draw: SeededDraw(seed: seed))
    var path = ScrollPath(limit: limit, from: 0)
    while path.end < length { generator.move(&path, until: length) }
    return path
  }

  @Test(arguments: [ScrollProfile.reader, .browser, .skimmer, .stress])
  func `an hour in parts equals an hour in one path`(profile: ScrollProfile) throws {
    let limit = 100_000.0
    let complete = Self.completePath(try #require(profile.gestures), limit: limit, seed: 3)
    let trajectory = ScrollTrajectory(
      profile: profile, physics: .ios, limit: limit, seed: 3, lasting: Self.length)
    #expect(trajectory.duration == complete.end && trajectory.finalOffset == complete.finalOffset)
    #expect(!trajectory.checkpoints.isEmpty)
    #expect(trajectory.opening.segments.count < complete.segments.count / 2)
    let segments =
      trajectory.opening.segments + trajectory.checkpoints.flatMap { trajectory.path(at: $0.start).segments }
    #expect(segments == complete.segments)

    let start = Duration.seconds(7)
    var reader = ScrollReader(trajectory, from: start)
    for tick in 0...14_500 {
      let time = Duration.milliseconds(250) * tick
      let (read, expected) = (reader.state(at: start + time), complete.state(at: time))
      guard read.offset == expected.offset, read.velocity == expected.velocity, read.fling == expected.fling
      else {
        Issue.record("\(read) instead of \(expected) at \(time)")
        return
      }
    }
  }

  @Test func `the state is correct at times in any order`() throws {
    let limit = 100_000.0
    let complete = Self.completePath(try #require(ScrollProfile.browser.gestures), limit: limit, seed: 5)
    let trajectory = ScrollTrajectory(
      profile: .browser, physics: .ios, limit: limit, seed: 5, lasting: Self.length)
    let draw = SeededDraw(seed: 1)
    for sample in 0..<200 {
      let time = Duration.milliseconds(Int(draw.uniform("time", sample) * 3_700_000))
      #expect(trajectory.offset(at: time) == complete.state(at: time).offset, "\(time)")
      #expect(trajectory.velocity(at: time) == complete.state(at: time).velocity, "\(time)")
    }
  }
}
