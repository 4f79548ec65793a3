import Testing

@testable import CellophaneResults
internal import SimulationTestSupport
internal import TestSupport

/// The published schema describes exactly the output.
@Suite struct ResultSchemaTests {
  let schema: JSONSchema

  init() throws { schema = try JSONSchema(named: "cellophane.simulate.schema.json") }

  static func results() throws -> [SimulationResult] {
    let waits = [
      ResultFixture.wait(10), ResultFixture.wait(20), ResultFixture.wait(9, false),
    ]
    let complete = ResultFixture.run(waits: waits, ResultFixture.everything)
    let empty = ResultFixture.run(waits: [])
    var full = try ResultFixture.result(
      complete, oracle: complete, time: .virtual, replicas: 3, planned: 9, waiting: [(1, 2)])
    full.assertions = try ["blank_ratio<=100%", "time_to_image.p95<1s"].map {
      try Assertion(parsing: $0).checked(on: full)
    }
    full.recording = try ScriptedRun(seconds: 5).recording()
    full.naiveRecording = full.recording
    var published = try Study.suiteCase("cards/lh-slow4g/browser")
    published.loader.previews = true
    return [
      full,
      try ResultFixture.result(empty, naive: complete, urls: ["http://a/1"]),
      try ResultFixture.result(complete, of: published, time: .virtual),
    ]
  }

  @Test func `results conform to the schema`() throws {
    for result in try Self.results() { #expect(schema.faults(of: try AnyJSON(result.json())) == []) }
  }

  @Test func `the schema has exactly the fields of the results`() throws {
    // Together, the results have every field. The configuration has a separate schema.
    let written = try Self.results().map { try AnyJSON($0.json()) }.reduce(into: Set<String>()) {
      $0.formUnion(schema.paths(of: $1, to: [".config"]))
    }
    #expect(written.subtracting(schema.fields(to: [".config"])) == [])
    // An interval is written only for a number with one.
    let unwritten = schema.fields(to: [".config"]).subtracting(written).filter { !$0.hasSuffix("_ci95") }
    #expect(unwritten == [])
  }

  @Test func `the schema rejects a number as text, a missing field and an unknown choice`() throws {
    let json = String(decoding: try Self.results()[0].json(), as: UTF8.self)
    for (old, new) in [
      ("\"better\" : \"lower\"", "\"better\" : \"down\""), ("\"deadlocks\" : 1", "\"deadlocks\" : \"1\""),
      ("\"left_over\"", "\"left_beside\""), ("\"name\" : \"cold\"", "\"name\" : \"warm\""),
    ] {
      let changed = json.replacing(old, with: new)
      #expect(changed != json)
      #expect(schema.faults(of: try AnyJSON(changed.utf8)) != [], "\(new)")
    }
  }
}
