internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Synchronization
internal import Testing

@Suite("fetch and prefetch over what is on disk", .timeLimit(.minutes(5)))
struct FetchCacheTests {
  private static let fresh: HeaderFields = ["cache-control": "max-age=600"]

  /// An origin that answers the first request with `first`, and later ones with a picture.
  private func recovering(from first: [UInt8]) throws -> TestOrigin {
    let good = try picture(12, 8).encoded(as: .png)
    let asked = Atomic(0)
    return try TestOrigin { _ in
      let isFirst = asked.wrappingAdd(1, ordering: .relaxed).oldValue == 0
      return OriginResponse(headers: Self.fresh, body: isFirst ? first : good)
    }
  }

  @Test("A damaged picture is not kept", arguments: [["fetch"], ["prefetch", "--size", "6x4"]])
  func damage(_ command: [String]) async throws {
    let room = try Room()
    let origin = try recovering(from: try picture(12, 8).encoded(as: .png).dropLast(20))
    let url = origin.url("/a.png")
    let failed = try await room.run(command + [url])
    #expect(failed.exit != 0 && failed.errors.contains("truncated: "), "\(failed)")
    let ended = try await room.run(command + [url])
    #expect(ended.exit == 0 && origin.counters.requests == 2, "\(ended)")
  }

  @Test(
    "A damaged picture that was kept as bytes is asked for again",
    arguments: [["fetch"], ["prefetch", "--size", "6x4"]])
  func damageOnDisk(_ command: [String]) async throws {
    let room = try Room()
    let origin = try recovering(from: try picture(12, 8).encoded(as: .png).dropLast(20))
    let url = origin.url("/a.png")
    let kept = try await room.run("fetch", url, "--as", "bytes")
    #expect(kept.exit == 0, "\(kept)")
    let offline = try await room.run(command + [url, "--offline", "--json"])
    #expect(offline.exit != 0 && offline.errors.contains("truncated: "), "\(offline)")
    // Nothing is better than what is there, until the origin can be asked.
    let again = try await room.run("fetch", url, "--as", "bytes", "--offline")
    #expect(again.exit == 0, "\(again)")
    let whole = try await room.run(command + [url])
    #expect(whole.exit == 0 && origin.counters.requests == 2, "\(whole)")
  }

  @Test(
    "What is damaged on disk is loaded anew in the same run",
    arguments: [["fetch"], ["prefetch", "--size", "6x4"]])
  func reload(_ command: [String]) async throws {
    let room = try Room()
    let origin = try recovering(from: try picture(12, 8).encoded(as: .png).dropLast(20))
    _ = try await room.run("fetch", origin.url("/a.png"), "--as", "bytes")
    let whole = try await room.run(command + [origin.url("/a.png")])
    #expect(whole.exit == 0 && origin.counters.requests == 2, "\(whole)")
  }

  @Test("What is no picture stays, and the error names the way out", arguments: ["fetch", "prefetch"])
  func noPicture(_ command: String) async throws {
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

  @Test("A stale answer says so")
  func stale() async throws {
    let room = try Room()
    let good = try picture(12, 8).encoded(as: .png)
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
