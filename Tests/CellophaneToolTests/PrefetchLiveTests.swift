internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("prefetch on a terminal", .timeLimit(.minutes(5)), .enabled(if: Pane.isAvailable))
struct PrefetchLiveTests {
  /// Runs the tool in a terminal. It reads the lines that `body` writes to the file.
  func session(columns: Int, _ body: (Pane, _ lines: FileHandle) async throws -> Void) async throws {
    let room = try Room()
    let pane = try await Pane(in: room, columns: columns, lines: 40)
    var outcome = Result<Void, any Error>.success(())
    do {
      _ = try await room.shell("mkfifo lines")
      // Opened for reading as well, so that it does not wait for a reader.
      let lines = try FileHandle(forUpdating: URL(filePath: room.path("lines")))
      try await pane.run("clear; cellophane prefetch - --as bytes --no-cache -o out <lines; echo exit=$?")
      outcome = .success(try await body(pane, lines))
    } catch {
      outcome = .failure(error)
    }
    try await pane.end()
    try outcome.get()
  }

  static func rows(_ screen: String, _ start: String) -> [Substring] {
    screen.split(separator: "\n").filter { $0.hasPrefix(start) }
  }

  @Test(
    "one overwritten line shows records, failures and, if it fits, paused hosts, and disappears at the end",
    arguments: [110, 50])
  func line(columns: Int) async throws {
    let good = try TestOrigin { request in
      OriginResponse(status: request.path.hasPrefix("/no") ? 404 : 200, body: Array(request.path.utf8))
    }
    let busy = try TestOrigin { _ in OriginResponse(status: 429, headers: ["Retry-After": "600"]) }
    let host = busy.url("").trimmingPrefix("http://").prefix { $0 != "/" }
    try await session(columns: columns) { pane, lines in
      try lines.write(contentsOf: Data((1...30).map { good.url("/\($0)") + "\n" }.joined().utf8))
      try await pane.wait { Self.rows($0, "30 records  ").count == 1 }
      try lines.write(contentsOf: Data((1...3).map { good.url("/no/\($0)") + "\n" }.joined().utf8))
      try await pane.wait { Self.rows($0, "33 records  ").contains { $0.contains("  3 failed: status 3") } }
      try lines.write(contentsOf: Data((busy.url("/") + "\n").utf8))
      let all = try await pane.wait { screen in
        Self.rows(screen, "34 records  ").contains { row in
          row.contains("  4 failed: status 4") && row.contains("  paused: \(host) ") == (columns == 110)
        }
      }
      // The failures have complete lines above the progress.
      #expect(Self.rows(all, "cellophane: status: ").count == 4, "\(all)")
      #expect(all.split(separator: "\n").count { $0.contains(" records  ") } == 1, "\(all)")
      try await pane.press("C-c")
      let end = try await pane.wait { Self.rows($0, "exit=").count == 1 }
      #expect(end.contains("\nexit=130\n") && end.contains(#/\nfetched +30 /#), "\(end)")
      #expect(Self.rows(end, "34 records").isEmpty && !end.contains("paused: "), "\(end)")
    }
  }
}
