import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import SimulationTestSupport
internal import TestSupport

/// Tests that the published schemas of comparisons and studies have exactly the written fields.
@Suite struct ComparisonAndStudySchemaTests {
  /// Returns a comparison of paired results and one of unpaired results with different settings.
  static func comparisons() throws -> [AnyJSON] {
    let first = try ResultFixture.varied(0)
    let second = try ResultFixture.varied(-0.01, wait: 3) {
      $0.cache.memoryBytes = 1
      $0.list.image = PixelSize(width: 100, height: 90)
      $0.duration = .seconds(7)
    }
    var comparisons = try [ResultComparison(first, first), ResultComparison(first, second)]
    comparisons[1].assertions = [try Assertion(parsing: "blank_ratio<1%").checked(on: comparisons[1])]
    return try comparisons.map { try AnyJSON($0.json()) }
  }

  /// Returns a complete sweep, a sweep without its last case, and an incomplete suite.
  static func studies() async throws -> [AnyJSON] {
    let sweep = try StudyFixture.sweep([("memory", ["0", "4000000"])])
    var played = try await sweep.run()
    played.assertions = try Assertion(parsing: "blank_ratio<=100%").checked(on: played)
    played.reproduce = "cellophane simulate --sweep memory=0,4000000"
    var cases: [[ReplicaOutcome]] = []
    for studyCase in sweep.cases {
      let simulation = try Simulation(studyCase.configuration)
      cases.append([try await simulation.outcome(ofReplica: 0), try await simulation.outcome(ofReplica: 1)])
    }
    cases[0][0].runs[.cellophane]?.overall.values[.duplicateInFlight] = 1
    let suite = try Study(suite: "v1") { $0.replicas = 2 }
    return [
      try AnyJSON(played.json()),
      try AnyJSON(StudyResult(sweep, [cases[0]], wall: .seconds(1)).json()),
      try AnyJSON(StudyResult(suite, [cases[0], cases[1]], wall: .seconds(1)).json()),
    ]
  }

  /// Expects that all `values` together have exactly the fields of `schema`.
  private func expect(_ values: [AnyJSON], keepTo schema: JSONSchema) throws {
    for value in values { #expect(schema.faults(of: value) == []) }
    // The configuration has a separate schema.
    let fields = schema.fields(to: [".config"])
    let written = values.reduce(into: Set<String>()) {
      $0.formUnion(schema.paths(of: $1, to: [".config"]))
    }
    #expect(written.subtracting(fields) == [])
    // Some metrics are unknown in all of these values, or have no better direction.
    let unwritten = fields.subtracting(written).filter { !$0.contains(".metrics.") }
    #expect(unwritten == [])
    let names = MetricPath.all.map(\.text)
    let metrics = fields.compactMap { field in
      field.ranges(of: ".metrics.").first.map { field[$0.upperBound...] }
    }
    #expect(metrics.allSatisfy { metric in names.contains { metric.hasPrefix($0 + ".") } })
    #expect(names.allSatisfy { name in metrics.contains { $0.hasPrefix(name + ".") } })
  }

  @Test func `the schema of comparisons has exactly the written fields`() throws {
    let schema = try JSONSchema(named: "cellophane.compare.schema.json")
    try expect(try Self.comparisons(), keepTo: schema)
    let text = String(
      decoding: try ResultComparison(
        try ResultFixture.varied(0), try ResultFixture.varied(0.5, replicas: 2)
      ).json(), as: UTF8.self)
    for (old, new) in [
      ("\"paired\" : false", "\"paired\" : 0"), ("\"better\" : \"lower\"", "\"better\" : \"down\""),
      ("\"duration_s\"", "\"duration\""), ("compare/1", "compare/2"), ("\"path\"", "\"name\""),
    ] {
      #expect(text.contains(old), "\(old)")
      #expect(schema.faults(of: try AnyJSON(text.replacing(old, with: new).utf8)) != [], "\(new)")
    }
  }

  @Test(.thorough) func `the schema of studies has exactly the written fields`() async throws {
    let schema = try JSONSchema(named: "cellophane.study.schema.json")
    let studies = try await Self.studies()
    try expect(studies, keepTo: schema)
    #expect(studies.map { $0["incomplete"]?["planned"]?.number } == [nil, 2, 24])
  }
}
