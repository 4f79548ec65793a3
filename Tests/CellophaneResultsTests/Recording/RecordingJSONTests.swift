internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneResults
internal import SimulationTestSupport

@Suite struct RecordingJSONTests {
  private static func object(of recording: Recording) throws -> [String: Any] {
    try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(recording)) as? [String: Any])
  }

  private static func decode(_ object: [String: Any]) throws -> Recording {
    try JSONDecoder().decode(Recording.self, from: JSONSerialization.data(withJSONObject: object))
  }

  @Test func `a recording survives a round trip through JSON`() throws {
    let recording = try ScriptedRun(seconds: 5).recording()
    #expect(recording.caches != nil)
    #expect(try Self.decode(Self.object(of: recording)) == recording)
  }

  @Test func `a recording of an older version, without waited_us, has connections but no send times`() throws
  {
    var object = try Self.object(of: ScriptedRun(seconds: 5).recording())
    var transfers = try #require(object["transfers"] as? [String: Any])
    transfers["waited_us"] = nil
    object["transfers"] = transfers
    let recording = try Self.decode(object)
    #expect(recording.transfers.allSatisfy { $0.sent == nil && $0.connection != nil })
  }

  /// Changes that each make a recording invalid.
  static let changes: [(String, String, any Sendable)] = [
    ("appearances", "row", [1]), ("appearances", "slot", [Int]()), ("appearances", "from_us", "now"),
    ("transfers", "outcome", ["lost"]), ("series", "step_us", 0), ("series", "step_us", -5),
    ("series", "offset_px", [1.5]), ("caches", "sizes_bytes", [3, 2, 1]), ("caches", "pfoo_l", [0.5]),
  ]

  @Test(arguments: changes.indices)
  func `an invalid field is rejected`(index: Int) throws {
    let (section, field, value) = Self.changes[index]
    var object = try Self.object(of: ScriptedRun(seconds: 2).recording())
    var changed = try #require(object[section] as? [String: Any])
    changed[field] = value
    object[section] = changed
    #expect(throws: DecodingError.self, "\(section).\(field)") { try Self.decode(object) }
  }

  /// Values that no recording can have. Each replaces a value in the middle of its column.
  static let numbers: [(String, String, any Sendable)] = [
    ("appearances", "row", -1), ("appearances", "row", Int.max), ("appearances", "slot", 1 << 40),
    ("appearances", "top_px", Int.min), ("appearances", "height_px", Int.max),
    ("appearances", "from_us", -1), ("appearances", "from_us", Int64.max), ("appearances", "from_us", "soon"),
    ("appearances", "to_us", Int64.min), ("appearances", "shown_us", -3), ("transfers", "bytes", -1),
    ("transfers", "bytes", Int.max), ("transfers", "connection", -1), ("transfers", "waited_us", -1),
    ("transfers", "waited_us", Int64.max), ("transfers", "to_us", 0),
    ("decodings", "core", Int.max), ("series", "offset_px", 1e300), ("series", "visible_px_s", -1e200),
  ]

  @Test(arguments: numbers.indices)
  func `an impossible number is rejected`(index: Int) throws {
    let (section, field, value) = Self.numbers[index]
    var object = try Self.object(of: ScriptedRun(seconds: 2).recording())
    var changed = try #require(object[section] as? [String: Any])
    var column = try #require(changed[field] as? [Any])
    column[column.count / 2] = value
    changed[field] = column
    object[section] = changed
    #expect(throws: DecodingError.self, "\(section).\(field)") { try Self.decode(object) }
  }

  @Test func `an impossible duration or viewport is rejected`() throws {
    for (field, value) in [
      ("duration_us", -1), ("duration_us", Int64.max), ("until_us", -1), ("until_us", 1 << 50),
      ("viewport_px", [0, 0]), ("viewport_px", [1]), ("viewport_px", [1 << 40, 1]),
    ] as [(String, any Sendable)] {
      var object = try Self.object(of: ScriptedRun(seconds: 1).recording())
      object[field] = value
      #expect(throws: DecodingError.self, "\(field)") { try Self.decode(object) }
    }
  }

  @Test func `more spans than the limit are rejected`() throws {
    var object = try Self.object(of: ScriptedRun(seconds: 1).recording())
    let many = Array(repeating: 1, count: Recording.spanLimit + 1)
    object["decodings"] = ["row": many, "core": many, "from_us": many, "to_us": many]
    #expect(throws: DecodingError.self) { try Self.decode(object) }
  }
}

@Suite struct CacheCurveTests {
  @Test func `each line has the hit ratios of its policy, at most those of the bound`() throws {
    let recorder = Recorder(try ScriptedRun().scene)
    try ScriptedRun().play(for: recorder)
    let (recording, trace) = recorder.finish()
    let curve = try #require(recording.caches)
    #expect(curve.requests == trace.requests.count && curve.keys == Set(trace.requests.map(\.key)).count)
    let requests = trace.requests.map {
      CacheRequest(key: $0.key, cost: $0.size, row: $0.row, position: $0.position)
    }
    let cache = try CacheTrace(requests)
    #expect(curve.rows.map(\.policy) == EvictionRule.allCases.map(\.rawValue))
    for (index, size) in curve.sizes.enumerated() {
      for (rule, line) in zip(EvictionRule.allCases, curve.rows) {
        #expect(line.hitRatio[index] == cache.score(of: rule.policy(capacity: size)).hitRatio)
        #expect(line.hitRatio[index] <= curve.belady?[index] ?? 0)
      }
    }
    // A cache that holds all images misses each image once.
    let missRatio = Double(curve.keys) / Double(curve.requests)
    #expect(curve.rows.allSatisfy { abs(($0.hitRatio.last ?? 0) - (1 - missRatio)) < 1e-9 })
  }

  @Test func `too few requests give no curve`() throws {
    #expect(try CacheCurve([CacheRequest]()) == nil)
    #expect(try CacheCurve([CacheRequest(key: 1, cost: 5)]) == nil)
  }
}
