internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneBatch
internal import TestSupport

/// The published schema describes exactly the written members.
@Suite("The schema of results")
struct ResultSchemaTests {
  let schema: JSONSchema

  init() throws { schema = try JSONSchema(named: "cellophane.prefetch.schema.json") }

  /// Returns results of every kind, which together have all members.
  private func results() throws -> [BatchResult] {
    let world = BatchRunTests.mixedWorld()
    var results = try world.results(of: BatchRunTests.mixed, jobs: 1)
    results += try world.results(of: BatchRunTests.mixed, jobs: 1)
    var all = BatchResult(
      ListRecord(position: 0, line: 1, url: "u", otherFields: Array(#""a":[1,"b"]"#.utf8), end: 0))
    (all.contentType, all.file) = ("image/png", "00000001.png")
    (all.notKept, all.isStale, all.isCloseDelimited) = (.tooLarge, true, true)
    (all.width, all.height, all.timings.decode) = (3, 4, .milliseconds(5))
    all.warnings = ImageWarning.allCases
    (all.originalSize, all.lastModified) = (PixelSize(width: 9, height: 9), "Sat, 28 Nov 2026 10:00:00 GMT")
    all.exif = Array(#""Image Make":"Canon""#.utf8)
    all.fail(
      LoadError(.status, "h answered 503", isRetryable: true, status: 503, retryAfter: .seconds(5)), at: .http
    )
    // An entry may take an eighth of the cache, and takes at least one block.
    let small = BatchWorld(cacheLimit: 8_192)
    return try results + [all] + small.results(of: ["http://h/1"])
  }

  @Test func `every written result conforms to the schema`() throws {
    for result in try results() {
      #expect(
        schema.faults(of: try AnyJSON(result.jsonLine)) == [],
        "\(String(decoding: result.jsonLine, as: UTF8.self))"
      )
    }
  }

  @Test func `the schema has exactly the members that are written`() throws {
    let written = try results().reduce(into: Set<String>()) {
      $0.formUnion(Self.paths(of: try AnyJSON($1.jsonLine), ""))
    }
    let known = Self.fields(of: schema.root, "")
    #expect(written == known, "\(written.symmetricDifference(known))")
  }

  @Test func `the schema lists all kinds, stages and outcomes`() throws {
    let error = try #require(schema.root["properties"]?["error"]?["properties"])
    let kinds = error["kind"]?["enum"]?.list?.compactMap(\.text)
    #expect(kinds == LoadError.Kind.allCases.map(\.rawValue))
    #expect(error["stage"]?["enum"]?.list?.compactMap(\.text) == BatchStage.allCases.map(\.rawValue))
    #expect(
      schema.root["properties"]?["outcome"]?["enum"]?.list?.compactMap(\.text)
        == BatchResult.Outcome.allCases.map(\.rawValue))
  }

  /// Returns the paths of all members, without the fields of the list, which are data.
  private static func paths(of value: AnyJSON, _ path: String) -> Set<String> {
    guard let members = value.members, ![".fields", ".exif"].contains(path) else { return [path] }
    return members.reduce(into: []) { $0.formUnion(paths(of: $1.value, path + "." + $1.key)) }
  }

  private static func fields(of schema: AnyJSON, _ path: String) -> Set<String> {
    guard let properties = schema["properties"]?.members else { return [path] }
    return properties.reduce(into: []) { $0.formUnion(fields(of: $1.value, path + "." + $1.key)) }
  }
}
