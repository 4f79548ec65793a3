internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneResults

/// The time of a touch after a flick under all scroll physics.
@Suite struct CatchTimeTests {
  /// A fling that a finger ends.
  struct Touched {
    let fling: Fling
    /// The time from the release to the next drag, in s.
    let time: Double
    /// The distance travelled until then, in px.
    let way: Double

    /// The time as a share of the duration on iOS: there the speed shrinks to 99.8 % each ms, and the list rests when
    /// half a pixel remains.
    var share: Double {
      let rate = -1000 * log(0.998)
      return time / (log(2 * fling.speed / rate) / rate)
    }
  }

  /// Returns the flings of a viewer without rests in a list that is too long to reach its end.
  private static func flings(
    of profile: ScrollProfile, again: Double, _ physics: ScrollPhysics
  ) throws -> [Touched] {
    var gestures = try #require(profile.gestures)
    gestures.dwell = Lognormal(median: 0, sigma: 0)
    (gestures.caught, gestures.again, gestures.backward, gestures.jump) = (1, again, 0, 0)
    let list = ScrollTrajectory(
      profile: profile, gestures: gestures, physics: physics, limit: 1e9, seed: 11, lasting: .seconds(120))
    let segments = list.opening.segments + list.checkpoints.flatMap { list.path(at: $0.start).segments }
    var flings: [Touched] = []
    for (index, segment) in segments.enumerated() {
      guard case .fling(let fling, _) = segment.motion else { continue }
      let next = segments[(index + 1)...].first { if case .glide = $0.motion { true } else { false } }
      guard let next else { break }
      flings.append(
        Touched(fling: fling, time: (next.start - segment.start).seconds, way: next.from - segment.from))
    }
    return flings
  }

  @Test(arguments: [ScrollProfile.reader, .browser, .skimmer], [0.0, 1])
  func `a finger comes back at the same share of the time on iOS under all physics`(
    profile: ScrollProfile, again: Double
  ) throws {
    let range = try #require(profile.gestures).catchTime
    let onIOS = try Self.flings(of: profile, again: again, .ios)
    for physics in ScrollPhysics.allCases {
      let flings = try Self.flings(of: profile, again: again, physics)
      try #require(min(flings.count, onIOS.count) >= 30)
      for (fling, reference) in zip(flings, onIOS) {
        #expect(abs(fling.share - reference.share) < 1e-6)
        #expect(range.lowerBound - 1e-6...range.upperBound + 1e-6 ~= fling.share)
      }
    }
  }

  /// Without flicks into a moving list there is no carried momentum, and all flings have the same velocity.
  @Test(arguments: [ScrollProfile.reader, .browser, .skimmer])
  func `the same viewer touches the list at the same times under all physics`(profile: ScrollProfile) throws {
    let onIOS = try Self.flings(of: profile, again: 0, .ios)
    for physics in ScrollPhysics.allCases {
      let flings = try Self.flings(of: profile, again: 0, physics)
      #expect(flings.map(\.time) == onIOS.map(\.time))
      #expect(flings.map(\.fling.speed) == onIOS.map(\.fling.speed))
    }
  }

  @Test(arguments: ScrollPhysics.allCases)
  func `a list that rests before the touch remains at rest until then`(physics: ScrollPhysics) throws {
    let flings = try Self.flings(of: .browser, again: 0, physics)
    for touched in flings {
      // Offsets are rounded to 1/64 px.
      #expect(abs(touched.way - touched.fling.travelled(after: touched.time)) < 0.02)
    }
    // On iOS, no fling ends before the finger comes back. On Android, most do.
    let rested = flings.count { $0.time > $0.fling.duration + 1e-6 }
    #expect(physics == .ios ? rested == 0 : physics == .flutter || 2 * rested > flings.count)
  }
}
