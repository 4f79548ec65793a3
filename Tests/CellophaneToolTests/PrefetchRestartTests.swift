internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// Runs that are interrupted or killed at random times, and restarted until one ends by itself.
@Suite("prefetch after restarts", .timeLimit(.minutes(5)))
struct PrefetchRestartTests {
  private static let bodies = 150

  /// Returns the body of `/number`; every tenth is long and arrives slowly.
  private static func body(_ number: Int) -> [UInt8] {
    let length = number.isMultiple(of: 10) ? 200_000 : number * 977 % 20_000 + 1
    return (0..<length).map { UInt8(truncatingIfNeeded: ($0 >> 3) &* (number + 3)) }
  }

  private func origin() throws -> TestOrigin {
    let bodies = (0..<Self.bodies).map(Self.body)
    return try TestOrigin { request in
      guard let number = Int(request.path.dropFirst()), bodies.indices.contains(number) else {
        return OriginResponse(status: 404)
      }
      var response = OriginResponse(
        headers: ["cache-control": "max-age=3600", "etag": "\"\(number)\""], body: bodies[number])
      if number.isMultiple(of: 10) { response.pace = .init(bytes: 20_000, every: .milliseconds(4)) }
      return response
    }
  }

  /// The final result of a list, independent of restarts.
  struct EndState: Equatable {
    /// By number of the record: `loaded`, or the reason of the failure.
    var outcomes: [Int: String] = [:]
    /// The length of each body in the cache.
    var cached: [String: Int] = [:]
    var files: [String: [UInt8]] = [:]
  }

  /// Returns the files below `folder`, without temporary ones.
  private func files(in folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = folder + "/" + name
      guard
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular,
        !name.split(separator: "/").contains(where: { $0.hasPrefix(".") })
      else { continue }
      files[name] = Array(try Data(contentsOf: URL(filePath: path)))
    }
    return files
  }

  private func outcomes(_ bytes: [UInt8]) throws -> [Int: String] {
    try objects(lines: bytes).reduce(into: [:]) { outcomes, result in
      let error = result["error"] as? [String: Any]
      let outcome = result["outcome"] as? String ?? ""
      let isLoaded = ["fetched", "fresh", "revalidated"].contains(outcome)
      outcomes[result["index"] as? Int ?? 0] =
        isLoaded ? "loaded" : error.map { "\($0["kind"] ?? "") \($0["stage"] ?? "")" } ?? outcome
    }
  }

  private func endState(of room: Room, after ended: Ended) async throws -> EndState {
    let list = try await room.run("cache", "list", "--json", "--quiet").json()
    let entries = list["entries"] as? [[String: Any]] ?? []
    #expect(!entries.contains { $0["isPrefix"] as? Bool == true })
    return EndState(
      outcomes: try outcomes(ended.output),
      cached: Dictionary(
        entries.map { ($0["url"] as? String ?? "", $0["bytes"] as? Int ?? -1) }, uniquingKeysWith: +),
      files: try files(in: room.path("out")))
  }

  private func list(_ origin: TestOrigin) -> [String] {
    let good = (0..<Self.bodies).map { origin.url("/\($0)") }
    let bad = ["no url", origin.url("/nothing"), "http://nothing:0/", "file:///etc/passwd", ""]
    return zip(good, good[30...]).flatMap { [$0, $1 + "#again"] } + bad + good[120...]
  }

  private func arguments(_ names: String) -> [String] {
    [
      "prefetch", "list", "--as", "bytes", "-j", "4", "-o", "out", "--names", names, "--jsonl", "-",
      "--quiet",
    ]
  }

  @Test(
    "a run that is stopped and restarted has the final result of an undisturbed run",
    arguments: [
      (0, "{index:8}"), (1, "{index:8}"), (2, "{index:8}"), (3, "{hash}"), (4, "{hash:2}/{hash}"),
      (5, "{key}"), (6, "{host}/{name}-{index}"),
    ])
  func restarts(seed: UInt64, names: String) async throws {
    let arguments = arguments(names)
    let origin = try origin()
    let undisturbed = try Room()
    try undisturbed.write(lines: list(origin), as: "list")
    let whole = try await undisturbed.run(arguments)
    #expect(whole.exit == 2, "\(whole)")
    let expected = try await endState(of: undisturbed, after: whole)
    #expect(expected.cached.count == Self.bodies && expected.outcomes.count == list(origin).count - 1)
    let requests = origin.counters.requests

    let room = try Room()
    try room.write(lines: list(origin), as: "list")
    var random = SplitMix64(seed: seed)
    var stops = 0
    while stops < TestScope.rounds(3, soak: 10) {
      let child = try room.start(arguments)
      // After some restarts, most records are already loaded and finish quickly.
      await child.lines(Int.random(in: 0..<expected.outcomes.count, using: &random))
      let kills = Bool.random(using: &random)
      if kills { child.kill() } else { child.interrupt() }
      let ended = try await child.end()
      stops += 1
      let context = "seed \(seed), stop \(stops), \(kills ? "killed" : "interrupted"): \(ended.exit)"
      // The process may have finished before the signal, or at that moment. Then it has no handler any more and ends by
      // the signal, for which a shell also reports 130.
      let exits: [Int32] = kills ? [-9, 2] : [130, 2, -2]
      #expect(exits.contains(ended.exit), "\(context)")
      #expect(ended.output.isEmpty || ended.output.last == UInt8(ascii: "\n"), "\(context)")
      let reported = try outcomes(ended.output)
      #expect(reported.allSatisfy { expected.outcomes[$0.key] == $0.value }, "\(context)")
      for (name, bytes) in try files(in: room.path("out")) {
        #expect(expected.files[name] == bytes, "\(context): \(name)")
      }
      let verified = try await room.run("cache", "verify", "--json", "--quiet")
      #expect(verified.exit == 0, "\(context): \(verified)")
    }
    let last = try await room.run(arguments)
    #expect(last.exit == 2, "\(last)")
    let end = try await endState(of: room, after: last)
    #expect(end.outcomes == expected.outcomes && end.cached == expected.cached, "seed \(seed)")
    #expect(end.files == expected.files, "seed \(seed): \(end.files.count), not \(expected.files.count)")
    // Only running transfers and the failed record are requested again.
    #expect(origin.counters.requests - requests <= requests + stops * (4 + 1), "seed \(seed)")
    // A process that was killed during a store leaves a temporary file. The next sweep removes it: that of trim, or
    // without trim one within an hour.
    #expect(try await room.run("cache", "trim", "--to", "1GB", "--quiet", "--json").exit == 0)
    let remaining = try FileManager.default.contentsOfDirectory(atPath: room.path("cache/cellophane"))
    #expect(!remaining.contains { $0.hasPrefix("cellophane-tmp-") }, "seed \(seed): \(remaining)")
  }
}
