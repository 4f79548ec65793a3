import Cellophane
import Foundation
import Testing

@testable import CellophaneReport
@testable import CellophaneResults
internal import TestSupport

/// `report` reads studies from any source. It rejects an invalid study with a message, or renders a safe page.
@Suite(.thorough)
struct HostileStudyTests {
  private static func fields(_ name: String) throws -> [String: Any] {
    let result = try #require(try StudyReportTests.studies()[name])
    return try JSONSerialization.jsonObject(with: Data(try result.json())) as? [String: Any] ?? [:]
  }

  /// Returns the message with which `fields` are rejected. Returns nil for a valid study, after a check of its page.
  private static func rejection(of fields: [String: Any], _ input: String) throws -> String? {
    let result: StoredResult
    do { result = try StoredResult(json: Array(try JSONSerialization.data(withJSONObject: fields))) } catch {
      let error = try #require(error as? LoadError)
      #expect(error.kind == .corrupt && !error.message.isEmpty && error.message.count < 300, "\(input)")
      return error.message
    }
    MarkupElements.expectSafePage(try result.html(), input)
    return nil
  }

  @Test func `an invalid field is rejected with its path`() throws {
    let fields = try Self.fields("two")
    let cases = try #require(fields["cases"] as? [[String: Any]])
    var unfit = cases
    unfit[1]["values"] = ["0"]
    var large = cases
    large[0]["metrics"] = (cases[0]["metrics"] as? [String: Any])?.merging(
      ["bytes_down": ["mean": 1e300]]) { $1 }
    for (name, value, message) in [
      ("schema", "cellophane.study/2", "its schema is 'cellophane.study/2'"),
      ("schema", 1, "schema has the wrong type"),
      ("cases", [Any](), "cases: the number must be from 1 to 400, not 0"),
      ("cases", Array(repeating: cases[0], count: 401), "cases: the number must be from 1 to 400, not 401"),
      ("cases", unfit, "cases[1].values: must have one value for each parameter"),
      ("cases", large, "cases[0].metrics.bytes_down.mean: 1e+300 is out of range"),
      ("cases", [["values": [1, 2]]], "cases[0]"), ("cases", NSNull(), "cases is null"),
      (
        "parameters", ["a", "b", "c"],
        "parameters: a sweep has 1 or 2 parameters, and 3 were given; use a file of simulate --json without"
      ),
      ("parameters", [Any](), "parameters"),
      ("kind", "guess", "kind: "),
      ("replicas", 0.5, "replicas: has a number that is fractional or out of range"),
      ("wall_s", 1e16, "wall_s: 1e+16 is out of range"),
      ("config", ["list": ["rows": "many"]], "config.list.rows: must be a whole number"),
      ("config", ["viewport": ["w": 0]], "config.viewport.w: must be from 1 to 16384, not 0"),
      ("config", ["color": 1], "config.color: unknown field"),
    ] as [(String, Any, String)] {
      var hostile = fields
      hostile[name] = value
      let rejection = try Self.rejection(of: hostile, name)
      #expect(rejection?.hasPrefix(message) == true, "\(name): \(rejection ?? "accepted")")
    }
  }

  @Test(arguments: ["two", "one", "sensitivity", "suite"])
  func `markup and control characters in a text are escaped`(name: String) throws {
    let fields = try Self.fields(name)
    for text in [
      "</script></title><img src=x onerror=alert(1)>", "\"'><iframe src=//e>",
      "\u{202E}\u{2066}t\u{0}\u{1B}[2J",
      String(repeating: "<b2>", count: 1_000), "",
    ] {
      var hostile = fields
      hostile["reproduce"] = text
      hostile["suite"] = text
      hostile["parameters"] = (fields["parameters"] as? [String])?.map { _ in text }
      hostile["cases"] = (fields["cases"] as? [[String: Any]])?.enumerated().map { index, one in
        var one = one
        one["values"] = (one["values"] as? [String])?.map { index % 2 == 0 ? text : $0 + text }
        one["reproduce"] = text
        return one
      }
      hostile["tool"] = ["name": text, "version": text, "swift": text, "os": text]
      #expect(try Self.rejection(of: hostile, text) == nil)
    }
  }

  @Test(arguments: ["two", "one", "sensitivity"])
  func `extreme numbers are rejected or drawn safely`(name: String) throws {
    let fields = try Self.fields(name)
    func replaced(_ value: Any, with number: Any) -> Any {
      switch value {
      case let object as [String: Any]: object.mapValues { replaced($0, with: number) }
      case let array as [Any]: array.map { replaced($0, with: number) }
      case is NSNumber: number
      default: value
      }
    }
    for number in [1e300, -1e300, -1, 0, 0.5, 1e15, -1e15, 1e-300, Int.max, NSNull()] as [Any] {
      var hostile = fields
      hostile["cases"] = replaced(fields["cases"] ?? NSNull(), with: number)
      _ = try Self.rejection(of: hostile, "\(number)")
      // Changes only one case, so that the scale covers a wide range.
      var cases = try #require(fields["cases"] as? [[String: Any]])
      cases[1]["metrics"] = replaced(cases[1]["metrics"] ?? NSNull(), with: number)
      hostile["cases"] = cases
      _ = try Self.rejection(of: hostile, "one \(number)")
    }
  }
}
