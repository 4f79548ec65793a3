@testable import CellophaneResults
internal import Foundation

/// Replicas of two loaders, with their statistics from numpy and scipy. `Scripts/make-statistics-references.py`
/// writes them to `expected.json`.
struct StatisticsReference: Sendable, Decodable, CustomStringConvertible {
  struct Waits: Sendable, Decodable {
    let ticks, over, cut: [Int]

    var histogram: WaitHistogram {
      WaitHistogram(
        Dictionary(
          uniqueKeysWithValues: ticks.indices.map { (ticks[$0], .init(ended: over[$0], cutShort: cut[$0])) }))
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

  /// All references, read once. Empty if the file cannot be read; a test checks the count.
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
