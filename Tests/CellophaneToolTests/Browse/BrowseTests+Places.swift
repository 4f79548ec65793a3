internal import Foundation
internal import Testing

extension BrowseTests {
  @Test("A list with a mark and a bad line opens, and tells which line", .enabled(if: Pane.isPossible))
  func badLines() async throws {
    try await session { room, pane, base in
      try room.write(lines: ["\u{FEFF}\(base)/row/0.png", "", "no url", "\(base)/row/2.png"], as: "list")
      try await pane.run("cellophane browse --no-cache list" + Self.epilogue)
      let screen = try await pane.waits { $0.contains("blank 1 of 3") && $0.contains("end of 3 items") }
      #expect(screen.contains("failed: line 3: not an absolute URL: 'no url'"), "\(screen)")
      try await pane.press("q")
      try await pane.waits { Self.isOver($0, exit: 0) }
    }
  }
}
