@testable import CellophaneSimulation
internal import Foundation

/// Replicas of two loaders in `expected.json`, and what lifelines and scipy say of them, as
/// `Scripts/make-statistics-references.py` wrote them.
struct StatisticsReference: Sendable, Decodable, CustomStringConvertible {
  struct Waits: Sendable, Decodable {
    let ticks, over, cut: [Int]

    var histogram: WaitHistogram {
      WaitHistogram(
        Dictionary(
          uniqueKeysWithValues: ticks.indices.map { (ticks[$0], .init(ended: over[$0], censored: cut[$0])) }))
    }
  }

  let name: String
  let values, others: [Double]
  /// The replicas of one loader, then those of the other.
  let waits: [[Waits]]
  let meanInterval, pairInterval: [Double]
  let quantiles: [Int?]
  let quantileIntervals, differenceIntervals: [[Double?]?]

  var description: String { name }

  /// Read once. References that cannot be read are none, which a test notices.
  static let all: [StatisticsReference] = {
    do {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "expected.json")
      return try JSONDecoder().decode([StatisticsReference].self, from: try Data(contentsOf: file))
    } catch {
      print("the references cannot be read: \(error)")
      return []
    }
  }()
}
