internal import Foundation
internal import Testing

extension BrowseTests {
  @Test(
    "in the background, browse stops until it has the terminal, as other programs do",
    .enabled(if: Pane.isAvailable))
  func background() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base) &")
      try await pane.press("Enter") { $0.contains("Stopped") }
      try await pane.run("clear; jobs; stty -a | grep -o ' icanon\\| echo '; echo fore")
      try await pane.wait { $0.contains("Stopped") && $0.contains(" icanon\n") && $0.contains("\nfore\n") }
      try await pane.run("bg")
      try await pane.run("clear; echo again; jobs")
      try await pane.press("Enter") { $0.contains("again\n") && $0.contains("Stopped") }
      try await resume(pane)
      try await pane.press("q")
      try await pane.wait { Self.hasEnded($0, exit: 0) }
    }
  }

  @Test(
    "one SIGTERM ends a stopped process in the background", .enabled(if: Pane.isAvailable))
  func ending() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base) &")
      try await pane.press("Enter") { $0.contains("Stopped") }
      try await endJob(in: pane)
      try await pane.run("clear; cellophane browse --no-cache --origin \(base)")
      try await pane.wait { $0.contains("amber heron 0") }
      try await pane.press("C-z")
      try await pane.wait { $0.contains("Stopped") }
      try await endJob(in: pane)
    }
  }

  /// Ends the stopped job, and waits for its end.
  private func endJob(in pane: Pane) async throws {
    // bash 5.2 may miss that a process continues if it ends at once: `wait` then returns 128 plus the number of
    // the stop signal until bash notices the end.
    try await pane.run("clear; kill %1; while wait %1; s=$?; [ $s -gt 147 ]; do :; done; echo \"ended=$s\"")
    try await pane.wait { $0.contains("ended=143\n") }
  }

  @Test("after a search, the list returns to its position", .enabled(if: Pane.isAvailable))
  func returning() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base)" + Self.epilogue)
      try await pane.wait { $0.contains("amber heron 0") && $0.contains("no image 0 of") }
      try await pane.press("G") { $0.contains("end of 120 items") && $0.contains("no image 0 of") }
      try await pane.type("/maple")
      try await pane.wait { $0.contains("12 found") && $0.contains("\n maple\n") }
      try await pane.press("Escape")
      try await pane.wait { $0.hasPrefix(" Cellophane") && $0.contains("end of 120 items") }
      try await pane.press("q")
      try await pane.wait { Self.hasEnded($0, exit: 0) }
    }
  }

  @Test(
    "a list with a byte order mark and an invalid line opens, and the error names the line",
    .enabled(if: Pane.isAvailable))
  func badLines() async throws {
    try await session { room, pane, base in
      try room.write(lines: ["\u{FEFF}\(base)/row/0.png", "", "no url", "\(base)/row/2.png"], as: "list")
      try await pane.run("cellophane browse --no-cache list" + Self.epilogue)
      let screen = try await pane.wait { $0.contains("no image 1 of 3") && $0.contains("end of 3 items") }
      #expect(screen.contains("failed: line 3: not an absolute URL: 'no url'"), "\(screen)")
      try await pane.press("q")
      try await pane.wait { Self.hasEnded($0, exit: 0) }
    }
  }
}
