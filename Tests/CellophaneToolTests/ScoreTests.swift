internal import Cellophane
internal import CellophaneResults
internal import CellophaneSimulation
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CellophaneTool

@Suite("score", .timeLimit(.minutes(5)))
struct ScoreTests {
  private static let scenario = "--duration 2 --rows 200 --seed 3 --replicas 1"

  /// Expects that each line matches `schema`, and has only its fields.
  private func expect(_ lines: [Substring], match schema: JSONSchema) throws {
    let names = Set((schema.root["properties"]?.members ?? [:]).keys)
    for line in lines {
      let value = try AnyJSON(Data(line.utf8))
      #expect(schema.faults(of: value).isEmpty, "\(line)")
      #expect(names.isSuperset(of: (value.members ?? [:]).keys), "\(line)")
    }
  }

  @Test("the trace of a simulation has the metrics of the simulation")
  func roundTrip() async throws {
    let room = try Room()
    let played = try await room.shell(
      "cellophane simulate \(Self.scenario) --loader glide --export-run run.jsonl --quiet --json -")
    #expect(played.exit == 0 && played.errors.isEmpty, "\(played)")
    let scored = try await room.shell("cellophane score run.jsonl --quiet --json -")
    #expect(scored.exit == 0 && scored.errors.isEmpty, "\(scored)")
    let (first, second) = (try played.json(), try scored.json())
    for field in ["metrics", "phases", "histograms", "config", "loader"] {
      let (one, other) = (try #require(first[field] as? NSObject), try #require(second[field] as? NSObject))
      #expect(one == other, "\(field)")
    }
    #expect(second["reproduce"] as? String == "cellophane score run.jsonl")
    // Each line has the fields of the schema.
    let schema = try JSONSchema(named: "cellophane.run.schema.json")
    let lines = String(decoding: try room.bytes(of: "run.jsonl"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count > 200)
    try expect(Array(lines.prefix(300) + lines.suffix(3)), match: schema)
  }

  @Test("the table, the report, assertions and baselines are those of simulate")
  func outputs() async throws {
    let room = try Room()
    _ = try await room.shell(
      "cellophane simulate \(Self.scenario) --loader coil --export-run run.jsonl --quiet")
    let table = try await room.shell("cellophane score run.jsonl --baselines --html run.html")
    #expect(table.exit == 0 && table.text.contains("coil") && table.text.contains("cellophane"), "\(table)")
    #expect(String(decoding: try room.bytes(of: "run.html"), as: UTF8.self).contains("<svg"))
    #expect(try await room.shell("cellophane score run.jsonl --quiet --assert 'blank_ratio<0'").exit == 4)
    #expect(try await room.shell("cellophane score - --quiet --assert 'blank_ratio>0' < run.jsonl").exit == 0)
  }

  @Test("errors name the file and the line")
  func errors() async throws {
    let room = try Room()
    try room.write(
      lines: [
        #"{"schema": "cellophane.run/1", "loader": "toy", "scenario": {}}"#,
        #"{"t_ms": 0, "event": "start", "transfer": 0, "row": 4000}"#,
      ], as: "run.jsonl")
    let ended = try await room.shell("cellophane score run.jsonl --quiet")
    #expect(ended.exit == 1 && ended.errors.contains("run.jsonl, line 2: unknown row 4000"), "\(ended)")
    #expect(try await room.shell("cellophane score run.jsonl --json run.jsonl").exit == 64)
    #expect(try await room.shell("cellophane score").exit == 64)
  }

  @Test("a script has the rows and the frames of a scenario")
  func script() async throws {
    let room = try Room()
    let ended = try await room.shell("cellophane simulate --duration 2 --rows 200 --seed 3 --script -")
    #expect(ended.exit == 0 && ended.errors.isEmpty, "\(ended)")
    let schema = try JSONSchema(named: "cellophane.script.schema.json")
    let text = ended.text.split(separator: "\n")
    try expect(text, match: schema)
    let lines = try text.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let rows = lines.filter { $0["row"] != nil }
    let frames = lines.filter { $0["vsync"] != nil }
    #expect(lines[0]["rows"] as? Int == rows.count && lines[0]["frames"] as? Int == 120)
    #expect(rows.first?["path"] as? String == "/row/0.png")
    #expect(frames.first?["vsync"] as? Int == 0 && frames.count <= 120)
    // Nothing is simulated, so an option for results has no effect.
    #expect(try await room.shell("cellophane simulate --script - --html a.html").exit == 64)
    #expect(try await room.shell("cellophane simulate --script - --replicas 2").exit == 64)
  }
}
