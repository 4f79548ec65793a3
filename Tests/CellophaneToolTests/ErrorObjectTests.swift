internal import Testing

@testable internal import CellophaneTool

@Suite("Error objects")
struct ErrorObjectTests {
  @Test("with --json, an invalid command line also prints an object, with the same kind and message")
  func objects() async throws {
    let room = try Room()
    let url = "http://127.0.0.1:1/"
    for arguments in [
      ["fetch", "--json"], ["fetch", url, "--json", "--nope"], ["fetch", url, "--size", "5x", "--json"],
      ["fetch", "--json", url, "--as", "bytes", "--size", "1x1"], ["fetch", "ftp://x/y", "--json"],
      ["fetch", url, "--json=5"], ["decode", "--json"], ["decode", "a", "-o", "a.gif", "--json"],
      ["prefetch", "--json", "-j", "0"], ["cache", "trim", "--json"],
      ["cache", "stats", "--json", "--cache-limit", "1B"], ["cache", "stats", "--json", "--cache-dir="],
      ["cache", "stat", "--json"], ["fecth", url, "--json"],
      ["simulate", "--hz", "0", "--json", "-"], ["advise", "--hz", "0", "--json", "-"],
      ["simulate", "--nope", "--json=-"],
      ["simulate", "--json", "-", "--html", "-"], ["simulate", "--seed=-1", "--json", "-"],
    ] {
      let ended = try await room.run(arguments)
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(arguments): \(ended)")
      let json = try ended.json()
      let error = try #require(json["error"] as? [String: Any], "\(arguments): \(ended)")
      #expect(json.count == 1 && error.count == 3, "\(arguments): \(ended)")
      #expect(
        error["kind"] as? String == "invalid-arguments" && error["retryable"] as? Bool == false,
        "\(arguments): \(ended)")
      let message = error["message"] as? String ?? ""
      #expect(ended.errors == "cellophane: invalid-arguments: \(message)\n", "\(arguments): \(ended)")
    }
    // The object would be in a file, or the command has no JSON.
    for arguments in [
      ["simulate", "--hz", "0", "--json", "result.json"], ["advise", "--hz", "0", "--json", "a.json"],
      ["simulate", "--nope", "--json"],
      ["report", "--json"], ["browse", "--json"], ["origin", "--json"], ["fetch", "--", "--json", "-"],
    ] {
      let ended = try await room.run(arguments)
      #expect(ended.exit == 64 && ended.output.isEmpty, "\(arguments): \(ended)")
    }
  }

  @Test(
    "--json is recognized in a command line that cannot be parsed",
    arguments: [
      ("fetch --json", true), ("fetch -H --json", false), ("fetch --header --json --json", true),
      ("prefetch --ignore-query --json", false), ("fetch -- --json", false), ("fetch --jsonl", false),
      ("--json", true), ("nope --json", true), ("cache trim --json", true), ("browse --json", false),
      ("simulate --json", false), ("simulate --json -", true), ("simulate --json=-", true),
      ("advise --json", false), ("advise --json -", true), ("simulate --json a --json -", true),
      ("simulate --json - --json a", false), ("", false),
    ])
  func requested(words: String, isRequested: Bool) {
    let words = words.split(separator: " ").map(String.init)
    #expect(CellophaneTool.requestsErrorObject(words) == isRequested)
  }
}
