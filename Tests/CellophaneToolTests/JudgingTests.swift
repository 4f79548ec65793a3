internal import Foundation
internal import Testing

@testable internal import CellophaneTool

@Suite("results are judged", .timeLimit(.minutes(2)))
struct JudgingTests {
  private static let run = "cellophane simulate --duration 2 --replicas 3 --rows 100 --quiet "

  @Test("An assertion that fails is exit code 4, and the result says which")
  func assertions() async throws {
    let room = try Room()
    let held = try await room.shell(
      Self.run + "--json - --assert 'blank_ratio<=100%' --assert 'misplaced_events==0'")
    #expect(held.exit == 0 && held.errors.isEmpty, "\(held)")
    #expect((try held.json()["assertions"] as? [[String: Any]])?.count == 2)
    let failed = try await room.shell(
      Self.run + "--json - --assert 'appearances>1' --assert 'time_to_image.p50 > 900s'")
    #expect(failed.exit == 4, "\(failed)")
    let outcomes = try #require(try failed.json()["assertions"] as? [[String: Any]])
    #expect(outcomes.map { $0["pass"] as? Bool } == [true, false])
    #expect(outcomes.map { $0["expr"] as? String } == ["appearances>1", "time_to_image.p50 > 900s"])
    let refused = try await room.shell(Self.run + "--assert 'blank<1'")
    #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(refused)")
  }

  @Test("Two results are compared, pair by pair where they are pairs")
  func comparison() async throws {
    let room = try Room()
    for (name, options) in [("a", "--prefetch rows:8"), ("b", "--prefetch none"), ("c", "--seed 50")] {
      let ended = try await room.shell(Self.run + "\(options) --json \(name).json")
      #expect(ended.exit == 0, "\(ended)")
    }
    let pairs = try await room.run("simulate", "--compare", "a.json", "b.json", "--json", "-")
    #expect(pairs.exit == 0, "\(pairs)")
    let json = try pairs.json()
    #expect(json["schema"] as? String == "cellophane.compare/1")
    #expect(json["paired"] as? Bool == true)
    let ready = try #require((json["metrics"] as? [String: Any])?["ready_on_appear"] as? [String: Any])
    #expect((ready["difference"] as? [String: Any])?["ci95"] is [Double])
    let others = try await room.run("simulate", "--compare", "a.json", "c.json")
    #expect(others.text.contains("no pairs: they have other seeds"), "\(others)")
    let same = try await room.run("simulate", "--compare", "a.json", "a.json")
    #expect(!same.text.contains("better") && !same.text.contains("worse"), "\(same)")
    try room.write(lines: ["{}"], as: "no.json")
    for files in [["a.json"], ["a.json", "no.json"], ["a.json", "missing.json"]] {
      let refused = try await room.run(["simulate", "--compare"] + files)
      #expect(refused.exit != 0 && refused.errorLines.count == 1, "\(refused)")
    }
  }
}
