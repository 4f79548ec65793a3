import Testing

@testable import CellophaneSimulation
internal import TestSupport

/// The published schema says what is written, no more and no less.
@Suite struct ResultSchemaTests {
  let schema: JSONSchema

  init() throws { schema = try JSONSchema(named: "cellophane.simulate.schema.json") }

  static func results() throws -> [SimulationResult] {
    let waits = [
      SimulationResultTests.wait(10), SimulationResultTests.wait(20), SimulationResultTests.wait(9, false),
    ]
    let whole = SimulationResultTests.run(waits: waits, SimulationResultTests.everything)
    let empty = SimulationResultTests.run(waits: [])
    var judged = try SimulationResultTests.result(
      whole, oracle: whole, time: .virtual, replicas: 3, planned: 9, waiting: [(1, 2)])
    judged.assertions = [try Assertion(parsing: "blank_ratio<1").checked(on: judged)]
    judged.recording = try PlayedRun(seconds: 5).recording()
    var published = try Study.suiteCase("cards/lh-slow4g/browser")
    published.loader.previews = true
    return [
      judged,
      try SimulationResultTests.result(empty, naive: whole, urls: ["http://a/1"]),
      try SimulationResultTests.result(whole, of: published, time: .virtual),
    ]
  }

  @Test func `what is written keeps to it`() throws {
    for result in try Self.results() { #expect(schema.faults(of: try AnyJSON(result.json())) == []) }
  }

  @Test func `it has every field that is written, and no other`() throws {
    // Between them, they have everything.
    // The configuration has a schema of its own.
    let written = try Self.results().map { try AnyJSON($0.json()) }.reduce(into: Set<String>()) {
      $0.formUnion(schema.paths(of: $1, to: [".config"]))
    }
    #expect(written.subtracting(schema.fields(to: [".config"])) == [])
    // A bound is only written of a quantile that was not reached, an interval only of what has one.
    let unwritten = schema.fields(to: [".config"]).subtracting(written).filter {
      !$0.hasSuffix("_bound") && !$0.hasSuffix("_ci95")
    }
    #expect(unwritten == [])
  }

  @Test func `a number as a text, a missing field and another choice are found`() throws {
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
