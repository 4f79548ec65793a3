@testable import CacheEviction
@testable import CellophaneResults
internal import Foundation

/// The traces and hits in `expected.json`, the output of `Scripts/make-eviction-references.py`.
struct EvictionReferences: Decodable {
  let traces: [ReferenceTrace]

  /// The references, read once. Empty if they cannot be read, which fails a test.
  static let all: EvictionReferences = {
    do {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "expected.json")
      return try JSONDecoder().decode(EvictionReferences.self, from: try Data(contentsOf: file))
    } catch {
      print("the references cannot be read: \(error)")
      return EvictionReferences(traces: [])
    }
  }()
}

/// A trace and the hits of the reference policies.
struct ReferenceTrace: Sendable, Decodable, CustomStringConvertible {
  let name: String
  /// The purpose of the trace.
  let covers: String
  /// The key of each request, and the cost of each key.
  let keys, costs: [Int]
  /// The row of each request and the row in the middle of the screen, for lists.
  let rows, positions: [Int]?
  let runs: [ReferenceRun]

  var description: String { "\(name) (\(covers))" }

  func trace() throws -> CacheTrace {
    try CacheTrace(
      keys.indices.map {
        CacheRequest(
          key: keys[$0], cost: costs[keys[$0]], row: rows?[$0] ?? 0, position: positions?[$0] ?? 0)
      })
  }
}

/// The results of the reference policies for one trace and one capacity.
struct ReferenceRun: Sendable, Decodable {
  let capacity: Int
  /// The maximum number of hits; nil if costs differ.
  let belady: Int?
  let boundHits, boundBytes: Int
  /// The hits of each policy: four requests per hexadecimal digit, the first in its highest bit.
  let hits: [String: String]

  func hits(of rule: EvictionRule, count: Int) -> [Bool] {
    let flags = hits[rule.rawValue, default: ""].flatMap { digit in
      let value = digit.hexDigitValue ?? 0
      return [8, 4, 2, 1].map { value & $0 != 0 }
    }
    return Array(flags.prefix(count))
  }
}
