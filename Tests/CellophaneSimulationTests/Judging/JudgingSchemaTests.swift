import Cellophane
import Testing

@testable import CellophaneSimulation
internal import TestSupport

/// The published schemas of comparisons and studies say what is written, no more and no less.
@Suite struct JudgingSchemaTests {
  /// What is written: pairs and no pairs, of which the settings differ.
  static func comparisons() throws -> [AnyJSON] {
    let first = try ResultComparisonTests.result(0)
    let second = try ResultComparisonTests.result(-0.01, wait: 3) {
      $0.cache.memoryBytes = 1
      $0.list.image = PixelSize(width: 100, height: 90)
      $0.duration = .seconds(7)
    }
    return try [ResultComparison(first, first), ResultComparison(first, second)].map {
      try AnyJSON($0.json())
    }
  }

  /// A sweep of which the last case is not played, one in real time, and a suite.
  static func studies() async throws -> [AnyJSON] {
    let sweep = try StudyTests.sweep([("memory", ["0", "4000000"])])
    var played = try await sweep.run()
    played.reproduce = "cellophane simulate --sweep memory=0,4000000"
    var cases: [[ReplicaOutcome]] = []
    for one in sweep.cases {
      cases.append(try await Simulation(one.configuration).outcomes(of: [.cellophane]))
    }
    cases[0][0].runs[.cellophane]?.overall.values[.duplicateInFlight] = 1
    let suite = try Study(suite: "v1") { $0.replicas = 2 }
    return [
      try AnyJSON(played.json()),
      try AnyJSON(StudyResult(sweep, [cases[0]], wall: .seconds(1)).json()),
      try AnyJSON(StudyResult(suite, [cases[0], cases[1]], wall: .seconds(1)).json()),
    ]
  }

  /// Those that `values` have between them are those of `schema`.
  private func expect(_ values: [AnyJSON], keepTo schema: JSONSchema) throws {
    for value in values { #expect(schema.faults(of: value) == []) }
    // The configuration has a schema of its own.
    let fields = schema.fields(to: [".config"])
    let written = values.reduce(into: Set<String>()) {
      $0.formUnion(schema.paths(of: $1, to: [".config"]))
    }
    #expect(written.subtracting(fields) == [])
    // Some numbers are not known of any of these, or neither more nor less of them is better.
    let unwritten = fields.subtracting(written).filter { !$0.contains(".metrics.") }
    #expect(unwritten == [])
    let names = MetricPath.all.map(\.text)
    let metrics = fields.compactMap { field in
      field.ranges(of: ".metrics.").first.map { field[$0.upperBound...] }
    }
    #expect(metrics.allSatisfy { metric in names.contains { metric.hasPrefix($0 + ".") } })
    #expect(names.allSatisfy { name in metrics.contains { $0.hasPrefix(name + ".") } })
  }

  @Test func `comparisons`() throws {
    let schema = try JSONSchema(named: "cellophane.compare.schema.json")
    try expect(try Self.comparisons(), keepTo: schema)
    let text = String(
      decoding: try ResultComparison(
        try ResultComparisonTests.result(0), try ResultComparisonTests.result(0.5, replicas: 2)
      ).json(), as: UTF8.self)
    for (old, new) in [
      ("\"paired\" : false", "\"paired\" : 0"), ("\"better\" : \"lower\"", "\"better\" : \"down\""),
      ("\"duration_s\"", "\"duration\""), ("compare/1", "compare/2"), ("\"path\"", "\"name\""),
    ] {
      #expect(text.contains(old), "\(old)")
      #expect(schema.faults(of: try AnyJSON(text.replacing(old, with: new).utf8)) != [], "\(new)")
    }
  }

  @Test func `studies`() async throws {
    let schema = try JSONSchema(named: "cellophane.study.schema.json")
    let studies = try await Self.studies()
    try expect(studies, keepTo: schema)
    #expect(studies.map { $0["incomplete"]?["planned"]?.number } == [nil, 2, 24])
  }
}
