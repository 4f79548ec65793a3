internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Synchronization
internal import Testing

@Suite("fetch and prefetch with a filled cache", .timeLimit(.minutes(5)))
struct FetchCacheTests {
  private static let fresh: HeaderFields = ["cache-control": "max-age=600"]

  /// Returns an origin that sends `first` for the first request, and an image for later ones.
  private func recovering(from first: [UInt8]) throws -> TestOrigin {
    let good = try testImage(12, 8).encoded(as: .png)
    let requests = Atomic(0)
    return try TestOrigin { _ in
      let isFirst = requests.wrappingAdd(1, ordering: .relaxed).oldValue == 0
      return OriginResponse(headers: Self.fresh, body: isFirst ? first : good)
    }
  }

  @Test("a damaged image is not stored", arguments: [["fetch"], ["prefetch", "--size", "6x4"]])
  func damage(_ command: [String]) async throws {
    let room = try Room()
    let origin = try recovering(from: try testImage(12, 8).encoded(as: .png).dropLast(20))
    let url = origin.url("/a.png")
    let failed = try await room.run(command + [url])
    #expect(failed.exit != 0 && failed.errors.contains("truncated: "), "\(failed)")
    let ended = try await room.run(command + [url])
    #expect(ended.exit == 0 && origin.counters.requests == 2, "\(ended)")
  }

  @Test(
    "a damaged image that was stored as bytes is requested again",
    arguments: [["fetch"], ["prefetch", "--size", "6x4"]])
  func damageOnDisk(_ command: [String]) async throws {
    let room = try Room()
    let origin = try recovering(from: try testImage(12, 8).encoded(as: .png).dropLast(20))
    let url = origin.url("/a.png")
    let stored = try await room.run("fetch", url, "--as", "bytes")
    #expect(stored.exit == 0, "\(stored)")
    let offline = try await room.run(command + [url, "--offline", "--json"])
    #expect(offline.exit != 0 && offline.errors.contains("truncated: "), "\(offline)")
    // The damaged response stays until a request to the origin succeeds.
    let again = try await room.run("fetch", url, "--as", "bytes", "--offline")
    #expect(again.exit == 0, "\(again)")
    let whole = try await room.run(command + [url])
    #expect(whole.exit == 0 && origin.counters.requests == 2, "\(whole)")
  }

  @Test(
    "a damaged response on disk is reloaded in the same run",
    arguments: [["fetch"], ["prefetch", "--size", "6x4"]])
  func reload(_ command: [String]) async throws {
    let room = try Room()
    let origin = try recovering(from: try testImage(12, 8).encoded(as: .png).dropLast(20))
    _ = try await room.run("fetch", origin.url("/a.png"), "--as", "bytes")
    let whole = try await room.run(command + [origin.url("/a.png")])
    #expect(whole.exit == 0 && origin.counters.requests == 2, "\(whole)")
  }

  @Test(
    "a response that is not an image stays, and the error recommends --reload",
    arguments: ["fetch", "prefetch"])
  func otherContent(_ command: String) async throws {
    let room = try Room()
    let origin = try recovering(from: Array("<html>captive</html>".utf8))
    let arguments = [command, origin.url("/a.png")] + (command == "fetch" ? [] : ["--size", "6x4"])
    let first = try await room.run(arguments)
    #expect(first.exit != 0 && first.errors.contains("unsupported: "), "\(first)")
    #expect(!first.errors.contains("--reload"), "\(first)")
    let second = try await room.run(arguments)
    #expect(second.exit != 0 && second.errors.contains("use --reload to request it again"), "\(second)")
    #expect(origin.counters.requests == 1)
    let reloaded = try await room.run(arguments + ["--reload"])
    #expect(reloaded.exit == 0 && origin.counters.requests == 2, "\(reloaded)")
  }

  @Test("a stale response is marked as stale")
  func stale() async throws {
    let room = try Room()
    let good = try testImage(12, 8).encoded(as: .png)
    let isDown = Atomic(false)
    let origin = try TestOrigin { _ in
      isDown.load(ordering: .relaxed)
        ? OriginResponse(status: 503)
        : OriginResponse(headers: ["cache-control": "max-age=0, stale-if-error=600"], body: good)
    }
    let url = origin.url("/a.png")
    let loaded = try await room.run("fetch", url, "--json")
    #expect(try loaded.json()["stale"] as? Bool == false, "\(loaded)")
    isDown.store(true, ordering: .relaxed)
    let line = try await room.run("fetch", url)
    #expect(line.exit == 0 && line.text.contains("  disk, stale  "), "\(line)")
    let report = try await room.run("fetch", url, "--json")
    let json = try report.json()
    #expect(json["stale"] as? Bool == true && json["source"] as? String == "disk", "\(report)")
    let listed = try await room.run("prefetch", url, "--jsonl", "-", "--quiet")
    #expect(try objects(lines: listed.output).first?["stale"] as? Bool == true, "\(listed)")
  }
}
