@testable import Cellophane
@testable import CellophaneSimulation
internal import Foundation

/// The traces and hits in `expected.json`, as `Scripts/make-eviction-references.py` wrote them.
struct EvictionReferences: Decodable {
  let traces: [ReferenceTrace]

  /// Read once. References that cannot be read are none, which a test notices.
  static let whole: EvictionReferences = {
    do {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "expected.json")
      return try JSONDecoder().decode(EvictionReferences.self, from: try Data(contentsOf: file))
    } catch {
      print("the references cannot be read: \(error)")
      return EvictionReferences(traces: [])
    }
  }()
}

/// One trace and what the references hit in it.
struct ReferenceTrace: Sendable, Decodable, CustomStringConvertible {
  let name: String
  /// What it is there for.
  let covers: String
  /// Which key each request asks for, and what each key costs.
  let keys, costs: [Int]
  /// The row of each request and the one in the middle of the screen, for lists.
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

/// What the references do with one trace and one capacity.
struct ReferenceRun: Sendable, Decodable {
  let capacity: Int
  /// The most hits; nil when costs differ.
  let belady: Int?
  let boundHits, boundBytes: Int
  /// By policy, four requests a hexadecimal digit, the first as its highest bit.
  let hits: [String: String]

  func hits(of rule: EvictionRule, count: Int) -> [Bool] {
    let flags = hits[rule.rawValue, default: ""].flatMap { digit in
      let value = digit.hexDigitValue ?? 0
      return [8, 4, 2, 1].map { value & $0 != 0 }
    }
    return Array(flags.prefix(count))
  }
}
