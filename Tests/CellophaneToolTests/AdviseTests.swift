internal import Foundation
internal import Testing

@testable internal import CellophaneTool

@Suite("advise", .timeLimit(.minutes(5)))
struct AdviseTests {
  private static let short = "--duration 3 --rows 200 --replicas 2"

  @Test("equal options give equal advice, and its command plays the recommended settings")
  func advice() async throws {
    let room = try Room()
    let command = "cellophane advise \(Self.short) --network wpt-fios --profile constant:900 --prefetch none"
    let table = try await room.shell(command + " --json a.json")
    #expect(table.exit == 0 && table.text.contains(" of the image area is blank instead of "), "\(table)")
    #expect(table.text.contains("\n  prefetch ") && table.text.contains("\nmemory: 16 MiB "), "\(table)")
    #expect(table.errorLines.first == "policy 1 of 10: none ...")
    #expect(table.errorLines.last == "confirmation 2 of 2: recommended ...")
    let quiet = try await room.shell(command + " --quiet --json -")
    #expect(quiet.exit == 0 && quiet.errors.isEmpty, "\(quiet)")
    let (first, second) = (try object(room.bytes(of: "a.json")), try quiet.json())
    for part in ["candidates", "conditions", "memory", "concurrency", "recommendation", "confirmation"] {
      #expect(try Self.sorted(first[part]) == Self.sorted(second[part]), "\(part)")
    }
    #expect(second["reproduce"] as? String == command)

    let recommendation = try #require(second["recommendation"] as? [String: Any])
    let prefetch = try #require(recommendation["prefetch"] as? String)
    #expect(prefetch != "none")
    let apply = try #require(recommendation["command"] as? String)
    #expect(
      apply.hasPrefix(
        "cellophane simulate \(Self.short) --network wpt-fios --profile constant:900 --prefetch \(prefetch)"))
    let confirmation = try #require(second["confirmation"] as? [String: Any])
    let recommended = try #require(confirmation["recommended"] as? [String: Any])
    // The confirmation has the seeds after those of the choice.
    let played = try await room.shell(apply + " --quiet --json -").json()
    let blank = (played["metrics"] as? [String: Any])?["blank_ratio"] as? [String: Any]
    let expected = try #require(recommended["blank_ratio"] as? Double)
    #expect(abs((blank?["mean"] as? Double ?? -1) - expected) < 1e-12, "\(played["metrics"] ?? "")")
  }

  /// Returns a value of a JSON object as bytes, in an order that does not depend on hashes.
  private static func sorted(_ value: Any?) throws -> Data {
    try JSONSerialization.data(withJSONObject: #require(value), options: .sortedKeys)
  }

  @Test("a list of URLs with heights is played in virtual time, also by the command")
  func urls() async throws {
    let room = try Room()
    try room.write(
      lines: ["url,height,bytes"] + (0..<60).map { "https://a.example/\($0).jpg,\(150 + $0),\(20_000 + $0)" },
      as: "rows.csv")
    let json = try await room.shell(
      "cellophane advise --urls rows.csv --duration 1 --replicas 1 --quiet --json -"
    ).json()
    let conditions = try #require(json["conditions"] as? [[String: Any]])
    let changes = conditions.compactMap { $0["change"] as? [String: String] }
    #expect(changes.contains(["parameter": "list.bytes", "value": "×2"]), "\(changes)")
    let command = (json["recommendation"] as? [String: Any])?["command"] as? String
    let played = try await room.shell(try #require(command) + " --quiet --json -")
    #expect(played.exit == 0, "\(played)")
  }

  @Test("settings that an advice cannot use are refused with one line")
  func refused() async throws {
    let room = try Room()
    try room.write(lines: ["http://127.0.0.1:1/"], as: "urls")
    try room.write(lines: ["{}"], as: "a.json")
    for (arguments, message) in [
      ([#"{"time": "real"}"#], "advise needs virtual time, and the scenario sets real time"),
      (["--urls", "urls"], "--urls: urls has no heights; write lines of url,height or url,height,bytes"),
      (["--urls", "urls", "--network", "wpt-lte"], "--urls: urls has no heights"),
      (["--time", "real"], "unknown option '--time'"),
      (["--sweep", "memory=1,2"], "unknown option '--sweep'"),
      (["--allow-files"], "--allow-files does nothing without --urls"),
      (["a.json", "--json", "./a.json"], "--json would overwrite its input ./a.json"),
      (
        ["a.json", "--suite-case", "cards/wpt-lte/reader"], "--suite-case needs virtual time and no scenario"
      ),
      (["--replicas", "0"], "--replicas must be from 1 to 1000, not 0"),
      (["--concurrency", "0"], "--concurrency must be from 1 to 64, not 0"),
      (["--physics", "ios", "--profile", "constant:5"], "--physics does nothing with the profile constant"),
      (["missing.json"], "cannot read missing.json"), ([#"{"list": {"rows": "5"}}"#], "list.rows"),
    ] {
      let ended = try await room.run(["advise"] + arguments)
      #expect(
        ended.exit != 0 && ended.output.isEmpty && ended.errorLines.count == 1, "\(arguments): \(ended)")
      #expect(ended.errors.contains(": " + message), "\(arguments): \(ended)")
    }
  }

  @Test("an origin that fails every request has exit code 1 and an object with --json -")
  func nothingShown() async throws {
    let ended = try await Room().shell("cellophane advise \(Self.short) --fail 100% --quiet")
    #expect(ended.exit == 1 && ended.errors.hasPrefix("cellophane: nothing-shown: "), "\(ended)")
  }

  @Test("Ctrl-C has exit code 130 and writes no result")
  func interrupted() async throws {
    let room = try Room()
    let child = try room.begin("exec cellophane advise --duration 60 --json a.json 2>&1")
    await child.lines(2)
    child.interrupt()
    let ended = try await child.end()
    #expect(ended.exit == 130 && ended.text.contains("no result is written"), "\(ended)")
    #expect(throws: (any Error).self) { try room.bytes(of: "a.json") }
  }
}
