@testable internal import Cellophane
internal import Foundation
internal import Testing

/// The table and the flings in `expected.json`, the output of `Scripts/make-fling-references.py`.
private struct FlingReferences: Sendable, Decodable {
  struct Motion: Sendable, Decodable, CustomStringConvertible {
    let physics: String
    let speed, distance, duration: Double
    /// Shares of the duration, each with the distance travelled by then.
    let travelled: [[Double]]

    var description: String { "\(physics) at \(speed) px/s" }

    var fling: Fling? { ScrollPhysics(rawValue: physics).map { Fling($0, speed: speed) } }
  }

  /// The samples of `SPLINE_POSITION`.
  let table: [Double]
  let flings: [Motion]

  /// The references, read once. Empty if they cannot be read, which fails a test.
  static let all: FlingReferences = {
    do {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "expected.json")
      return try JSONDecoder().decode(FlingReferences.self, from: try Data(contentsOf: file))
    } catch {
      print("the references cannot be read: \(error)")
      return FlingReferences(table: [], flings: [])
    }
  }()
}

/// Compares both forms of an Android fling with independent derivations: a table of bisected samples, and an
/// integration of the deceleration.
@Suite struct FlingReferenceTests {
  @Test func `there are references for both forms, from the slowest to the fastest fling`() {
    for physics in [ScrollPhysics.android, .flutterAndroid] {
      let speeds = FlingReferences.all.flings.filter { $0.physics == physics.rawValue }.map(\.speed)
      #expect(speeds == [60, 500, 1000, 1800, 2000, 3500, 4000, 8000])
    }
  }

  @Test func `the samples of Android's table lie on the curve`() {
    let table = FlingReferences.all.table
    #expect(table.count == 101)
    for (index, way) in table.enumerated() {
      let time = Double(index) / 100
      #expect(abs(FlingSpline.way(after: time) - way) < 1e-11)
      // At the end the curve is flat, and the way is known to the last bit only.
      #expect(abs(FlingSpline.time(toTravel: way) - time) < (index < 100 ? 1e-9 : 1e-6))
    }
  }

  @Test(arguments: FlingReferences.all.flings)
  private func `distance and duration are those of the reference`(reference: FlingReferences.Motion) throws {
    let fling = try #require(reference.fling)
    #expect(abs(fling.distance / reference.distance - 1) < 1e-9)
    #expect(abs(fling.duration / reference.duration - 1) < 1e-9)
  }

  /// A phone draws lines between the samples, which lie at most 0.008 % of the way beside the curve.
  @Test(arguments: FlingReferences.all.flings)
  private func `a fling is on its way where the reference is`(reference: FlingReferences.Motion) throws {
    let fling = try #require(reference.fling)
    let tolerance = fling.distance * (reference.physics == "android" ? 0.000_08 : 1e-7)
    #expect(reference.travelled.count == 9)
    for point in reference.travelled {
      #expect(abs(fling.travelled(after: point[0] * reference.duration) - point[1]) < tolerance)
    }
  }

  @Test func `Flutter's form needs less time for the same distance, and is elsewhere on the way`() {
    let (phone, flutter) = (Fling(.android, speed: 8000), Fling(.flutterAndroid, speed: 8000))
    #expect(abs(phone.distance - flutter.distance) < 1e-6)
    #expect(abs(flutter.duration / phone.duration - 0.8254) < 0.0001)
    let apart = (0...1000).map { step in
      let time = phone.duration * Double(step) / 1000
      return flutter.travelled(after: time) - phone.travelled(after: time)
    }
    #expect(abs((apart.max() ?? 0) - 260.5) < 0.5)
  }
}
