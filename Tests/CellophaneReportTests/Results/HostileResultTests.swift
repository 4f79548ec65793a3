internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
internal import SimulationTestSupport
internal import TestSupport

/// `report` reads results from any source. It rejects an invalid result with a message, or renders a safe page.
@Suite(.thorough)
struct HostileResultTests {
  /// The JSON of a result with a recording. Created once, because its intervals take longer to compute than a page.
  private static let result = Result { try make() }

  private static func json() throws -> Data { try result.get() }

  private static func make() throws -> Data {
    let run = ResultFixture.run(
      waits: [
        ResultFixture.wait(0), ResultFixture.wait(90), ResultFixture.wait(700, false),
      ],
      ResultFixture.everything)
    var result = try ResultFixture.result(run, time: .virtual, replicas: 2)
    result.recording = try ScriptedRun(seconds: 1).recording()
    result.naiveRecording = result.recording
    result.assertions = [try Assertion(parsing: "blank_ratio<0.5").checked(on: result)]
    return Data(try result.json())
  }

  /// Returns the message with which `json` is rejected. Returns nil for a valid result, after a check of its page.
  private static func rejection(of json: some Collection<UInt8>, _ input: String) throws -> String? {
    let result: SimulationResult
    do { result = try SimulationResult(json: Array(json)) } catch {
      #expect(error.kind == .corrupt && !error.message.isEmpty && error.message.count < 300, "\(input)")
      return error.message
    }
    MarkupElements.expectSafePage(try result.html(), input)
    _ = result.trace()
    _ = result.table()
    return nil
  }

  private static func changed(_ json: Data, _ change: (inout Any) -> Void) throws -> Data {
    var object = try JSONSerialization.jsonObject(with: json)
    change(&object)
    return try JSONSerialization.data(withJSONObject: object)
  }

  /// Replaces the value at `path` in `object`; nil removes the field.
  private static func replace(_ object: inout Any, _ path: Substring, with value: Any?) {
    guard var fields = object as? [String: Any] else { return }
    let parts = path.split(separator: ".", maxSplits: 1)
    let name = String(parts[0])
    if parts.count == 1 {
      fields[name] = value
    } else if var inner = fields[name] {
      replace(&inner, parts[1], with: value)
      fields[name] = inner
    }
    object = fields
  }

  @Test func `an invalid field is rejected with its path`() throws {
    let json = try Self.json()
    let cases: [(path: String, value: (any Sendable)?, message: String)] = [
      ("schema", nil, "schema is missing"), ("schema", 1, "schema has the wrong type"),
      ("schema", "cellophane.study/1", "its schema is 'cellophane.study/1', not 'cellophane.simulate/1'"),
      ("schema", "cellophane.simulate/2", "its schema is 'cellophane.simulate/2'"),
      ("metrics", nil, "metrics is missing"), ("metrics", "none", "metrics has the wrong type"),
      ("metrics.blank_ratio", nil, "metrics.blank_ratio is missing"),
      ("metrics.blank_ratio.mean", "3 %", "metrics.blank_ratio.mean has the wrong type"),
      (
        "metrics.time_to_image.n", 1.5,
        "metrics.time_to_image.n: has a number that is fractional or out of range"
      ),
      ("invariants.deadlocks", 0.5, "invariants: has a number that is fractional or out of range"),
      ("metrics.blank_ratio.mean", 1e300, "metrics.blank_ratio.mean: 1e+300 is out of range"),
      ("metrics.bytes_down.ci95", [0, -1e16], "metrics.bytes_down.ci95[1]: -1e+16 is out of range"),
      ("wall_s", 1e16, "wall_s: 1e+16 is out of range"),
      ("config.replicas", 1_000_000_000, "config.replicas: must be from 1 to 1000, not 1000000000"),
      ("config.replicas", 0, "config.replicas: must be from 1 to 1000, not 0"),
      ("config.viewport.hz", 1 << 40, "config.viewport.hz: must be from 1 to 240, not 1099511627776"),
      ("config.viewport.w", 0, "config.viewport.w: must be from 1 to 16384, not 0"),
      ("config.list.row_height_px", -5, "config.list.row_height_px: must be from 1 to 16384, not -5"),
      (
        "config.gesture.flick.median", 1e300,
        "config.gesture.flick.median: must be from 0 to 100000, not 1e+300"
      ),
      ("series.bin_ms", 0, "series.bin_ms: is not a valid bin width"),
      ("series.bin_ms", -100, "series.bin_ms: is not a valid bin width"),
      ("series.down_bytes", [1], "series.down_bytes: has another length than offset_px"),
      ("config.list.rows", "many", "config.list.rows: must be a whole number"),
      ("config.list.color", "red", "config.list.color: unknown field"),
      ("recording.viewport_px", [0, 0], "recording: viewport_px is not a valid screen size"),
      ("recording.series.step_us", 0, "recording.series.offset_px"),
      ("recording.appearances.row", [1], "recording: the column"),
      ("naive_recording.appearances.row", [1], "naive_recording: the column"),
      ("tool", [String](), "tool has the wrong type"), ("baselines", [1], "baselines"),
      ("wall_s", NSNull(), "wall_s is null"),
    ]
    for (path, value, message) in cases {
      let hostile = try Self.changed(json) { Self.replace(&$0, path[...], with: value) }
      let rejection = try Self.rejection(of: hostile, path)
      #expect(rejection?.hasPrefix(message) == true, "\(path): \(rejection ?? "accepted")")
    }
  }

  @Test func `text that is not the complete JSON of a result is rejected`() throws {
    let json = try Self.json()
    let inputs: [(Data, String)] = [
      (Data(), "it is not JSON"), (Data("{}".utf8), "schema is missing"),
      (Data("[]".utf8), "it has the wrong type"),
      (Data("null".utf8), "it is null"), (json.prefix(json.count / 2), "it is not JSON"),
      (json.dropLast(2), "it is not JSON"),
      (Data(repeating: UInt8(ascii: "["), count: 200_000), "it is not JSON"),
      (Data(String(repeating: "{\"schema\":", count: 50_000).utf8), "it is not JSON"),
      (
        Data("[0".utf8) + Data(repeating: UInt8(ascii: ","), count: 8_000_000),
        "it has more than 8000000 values"
      ),
      (Data([0xFF, 0xFE, 0x00]), "it is not JSON"), (Data(repeating: 0, count: 100), "it is not JSON"),
    ]
    for (text, message) in inputs {
      let rejection = try Self.rejection(of: text, "\(text.prefix(20))")
      #expect(rejection?.hasPrefix(message) == true, "\(text.prefix(20)): \(rejection ?? "accepted")")
    }
    let numbers = String(decoding: json, as: UTF8.self)
    for number in ["NaN", "Infinity", "1e999", "-1e999", "0x10", "1.2.3", "\u{0661}"] {
      let hostile = numbers.replacing("\"wall_s\" : ", with: "\"wall_s\" : \(number)")
      #expect(try Self.rejection(of: hostile.utf8, number) != nil, "\(number)")
    }
  }

  /// Replaces all numbers of one part of the result at once. A result that is still valid must give a safe page.
  @Test func `extreme numbers are rejected or drawn safely`() throws {
    let json = try Self.json()
    func replaced(_ value: Any, with number: Any) -> Any {
      switch value {
      case let object as [String: Any]: object.mapValues { replaced($0, with: number) }
      case let array as [Any]: array.map { replaced($0, with: number) }
      case is NSNumber: number
      default: value
      }
    }
    let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    let inner = ["config", "recording", "naive_recording"].flatMap { part in
      ((object[part] as? [String: Any])?.keys.sorted() ?? []).map { part + "." + $0 }
    }
    // Encodes each section once, and only the changed section again.
    func encoded(_ value: Any) throws -> [UInt8] {
      Array(try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed))
    }
    let sections = try object.mapValues(encoded)
    for part in object.keys.sorted() + inner {
      let names = part.split(separator: ".")
      let section = String(names[0])
      let value = names.reduce(object as Any) { value, name in
        (value as? [String: Any])?[String(name)] ?? NSNull()
      }
      for number in [1e300, -1e300, 1e25, -1, 0, 0.5, 1e15, 1e-300, Int.max, Int.min, 1 << 50]
        as [any Sendable]
      {
        var changed: Any = object[section] ?? NSNull()
        if names.count > 1 {
          Self.replace(&changed, names[1], with: replaced(value, with: number))
        } else {
          changed = replaced(value, with: number)
        }
        var hostile = sections
        hostile[section] = try encoded(changed)
        let members = hostile.map { Array("\"\($0)\":".utf8) + $1 }.joined(separator: Array(",".utf8))
        _ = try Self.rejection(of: Array("{".utf8) + members + Array("}".utf8), "\(part): \(number)")
      }
    }
  }

  @Test func `markup and control characters in a text are escaped`() throws {
    let json = try Self.json()
    let paths = [
      "reproduce", "fingerprint", "tool.name", "tool.version", "tool.os", "time", "config.gesture.profile",
      "config.network.preset", "config.loader.prefetch", "config.list.layout",
    ]
    for text in [
      "</script><img src=x onerror=alert(1)>", "\"'><iframe src=//e>", "\u{202E}\u{2066}txet\u{0}\u{1B}[2J",
      String(repeating: "<b2>", count: 10_000),
    ] {
      for path in paths {
        let hostile = try Self.changed(json) { Self.replace(&$0, path[...], with: text) }
        _ = try Self.rejection(of: hostile, "\(path): \(text.prefix(20))")
      }
      let listed = try Self.changed(json) { Self.replace(&$0, "config.assumptions", with: [text, text]) }
      #expect(try Self.rejection(of: listed, "assumptions") == nil)
      let waiting = try Self.changed(json) {
        Self.replace(&$0, "invariants.deadlocks", with: 1)
        Self.replace(&$0, "invariants.waiting", with: [text])
      }
      #expect(try Self.rejection(of: waiting, "waiting") == nil)
    }
  }
}
