internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import TestSupport
internal import Testing

/// Processes that share a cache directory and are killed at random times.
@Suite("Processes that are killed while they share a cache", .timeLimit(.minutes(40)))
struct KillTests {
  private static let bodies = 60
  /// The number of processes that are killed. `CELLOPHANE_KILLS` overrides it.
  private static let kills =
    ProcessInfo.processInfo.environment["CELLOPHANE_KILLS"].flatMap(Int.init)
    ?? TestScope.rounds(20, soak: 200)

  /// Returns the body of `/number`. A cached response must have exactly this body.
  private static func body(_ number: Int) -> [UInt8] {
    (0..<(number * 977 % 60_000 + 1)).map { UInt8(truncatingIfNeeded: $0 &* (number + 3)) }
  }

  private func origin() throws -> TestOrigin {
    try TestOrigin { request in
      guard let number = Int(request.path.dropFirst()) else { return OriginResponse(status: 404) }
      return OriginResponse(headers: ["cache-control": "max-age=3600"], body: Self.body(number))
    }
  }

  /// The limits hold all bodies, or half of them, so that most stores evict.
  @Test(arguments: ["256MB", "1MB"])
  func `after a kill at any time, every key is a miss or has the right body`(limit: String) async throws {
    let room = try Room()
    let origin = try origin()
    let urls = (0..<Self.bodies).map { origin.url("/\($0)") }
    var random = SystemRandomNumberGenerator()
    var killed = 0
    while killed < Self.kills / 2 {
      // Three processes run at once, each with another order. `--reload` writes existing entries again.
      let children = try (0..<3).map { number in
        let list = try room.write(lines: urls.shuffled(using: &random), as: "list-\(number)")
        return try room.start(
          [
            "prefetch", list, "--as", "bytes", "-j", "4", "--jsonl", "-", "--quiet", "--reload",
            "--cache-limit", limit,
          ])
      }
      for child in children {
        await child.lines(Int.random(in: 0..<Self.bodies, using: &random))
        child.kill()
        killed += 1
      }
      for child in children { _ = try await child.end() }
      if killed % 30 == 0 || killed >= Self.kills / 2 { try await check(room, urls, after: killed) }
    }
    // A process that is not killed removes the leftovers of the others.
    #expect(try await room.run("cache", "trim", "--to", "100000000").exit == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: room.path("cache/cellophane"))
    #expect(
      !names.contains { $0.hasPrefix("cellophane-tmp-") || $0.hasPrefix("cellophane-lease-") }, "\(names)")
    let whole = try await room.run("prefetch", "list-0", "--as", "bytes", "--json", "--cache-limit", limit)
    #expect(try whole.exit == 0 && whole.json()["failed"] as? Int == 0, "\(whole)")
  }

  private func check(_ room: Room, _ urls: [String], after kills: Int) async throws {
    let directory = room.path("cache/cellophane")
    let cache = DiskCache(directory: directory)
    var found = 0
    for (number, url) in urls.enumerated() {
      guard let response = await cache.response(for: try Request(url, options: 0).key.response) else {
        continue
      }
      #expect(response.body == Self.body(number), "\(url) after \(kills) kills")
      found += 1
    }
    let counters = await cache.counters
    #expect(counters.corrupt == 0 && counters.errors == 0, "after \(kills) kills: \(counters)")
    #expect(found > 0, "after \(kills) kills")
    // Each killed process leaves at most its lease file and four temporary files. Up to seventeen processes can start
    // before a sweep; three run at once.
    let leftovers = try FileManager.default.contentsOfDirectory(atPath: directory).count {
      $0.hasPrefix("cellophane-tmp-") || $0.hasPrefix("cellophane-lease-")
    }
    #expect(leftovers <= 5 * (17 + 2 * 3), "after \(kills) kills")
  }
}
