import Cellophane
import Testing

@testable import CellophaneResults

/// Statistics of many gestures against their parameters.
@Suite struct GestureGeneratorTests {
  /// The gestures of a list that is too long to reach its lower end.
  struct Count {
    var gestures = 0.0
    var jumps = 0.0
    var drags = 0.0
    var backward = 0.0
    var flings = 0.0
    var caught = 0.0
    var caughtAt: [Double] = []
    var rests: [Double] = []
    var speeds: [Double] = []
    var accelerated = 0.0

    init(_ profile: ScrollProfile, _ parameters: GestureParameters, seeds: ClosedRange<UInt64>) {
      for seed in seeds {
        let list = ScrollTrajectory(
          profile: profile, physics: .ios, limit: 1e9, seed: seed, lasting: .seconds(300))
        let segments = list.opening.segments + list.checkpoints.flatMap { list.path(at: $0.start).segments }
        for (segment, next) in zip(segments, segments.dropFirst()) {
          let length = (next.start - segment.start).seconds
          switch segment.motion {
          case .rest: rests.append(length)
          case .glide(let velocity):
            gestures += 1
            if abs(length - parameters.dragTime) < 1e-6 {
              drags += 1
              if velocity < 0 { backward += 1 }
            } else {
              jumps += 1
            }
          case .fling(let fling, _):
            // A fling that ends at offset 0 was shortened by the upper end.
            guard next.from > 0 else { continue }
            flings += 1
            speeds.append(fling.speed)
            if fling.speed > ScrollPhysics.fastestRelease { accelerated += 1 }
            if length < fling.duration - 1e-6 {
              caught += 1
              caughtAt.append(length / fling.duration)
            }
          case .shuttle, .log: break
          }
        }
      }
    }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  @Test(arguments: [ScrollProfile.reader, .browser, .skimmer, .stress])
  func `each gesture occurs as often as its parameter states`(profile: ScrollProfile) throws {
    let parameters = try #require(profile.gestures)
    let count = Count(profile, parameters, seeds: 1...30)
    try #require(count.flings > 500)
    /// Returns four standard deviations of a share of `number` gestures.
    func error(_ share: Double, of number: Double) -> Double {
      4 * (share * (1 - share) / number).squareRoot() + 1e-9
    }
    // The first gesture of a run never jumps, and neither does a gesture that begins at the top.
    #expect(count.jumps / count.gestures <= parameters.jump + error(parameters.jump, of: count.gestures))
    #expect(parameters.jump == 0 || count.jumps / count.gestures > parameters.jump / 3)
    #expect(
      abs(count.backward / count.drags - parameters.backward) < error(parameters.backward, of: count.drags)
        + 0.03)
    let touched = 1 - (1 - parameters.again) * (1 - parameters.caught)
    #expect(abs(count.caught / count.flings - touched) < error(touched, of: count.flings) + 0.01)
    #expect(
      count.caughtAt.allSatisfy {
        parameters.catchTime.lowerBound - 1e-6...parameters.catchTime.upperBound + 1e-6 ~= $0
      })
    if parameters.dwell.median > 0 {
      #expect(abs(Self.median(count.rests) / parameters.dwell.median - 1) < 0.1)
    } else {
      #expect(count.rests.allSatisfy { $0 == 0.4 })
    }
    // Carried momentum makes flicks faster than their drawn velocity.
    #expect(Self.median(count.speeds) > parameters.flick.median * 0.95)
    #expect((count.accelerated > 0) == (parameters.again >= 0.3))
  }
}
