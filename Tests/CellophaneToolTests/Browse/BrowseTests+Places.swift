internal import Foundation
internal import Testing

extension BrowseTests {
  @Test(
    "In the background it is stopped until it has the terminal, as other programs are",
    .enabled(if: Pane.isPossible))
  func background() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base) &")
      try await pane.presses("Enter") { $0.contains("Stopped") }
      try await pane.run("clear; jobs; stty -a | grep -o ' icanon\\| echo '; echo fore")
      try await pane.waits { $0.contains("Stopped") && $0.contains(" icanon\n") && $0.contains("\nfore\n") }
      try await pane.run("bg")
      try await pane.run("clear; echo again; jobs")
      try await pane.presses("Enter") { $0.contains("again\n") && $0.contains("Stopped") }
      try await goOn(pane)
      try await pane.press("q")
      try await pane.waits { Self.isOver($0, exit: 0) }
    }
  }

  @Test(
    "One request to terminate ends it where it has stopped in the background", .enabled(if: Pane.isPossible))
  func ending() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base) &")
      try await pane.presses("Enter") { $0.contains("Stopped") }
      try await endJob(in: pane)
      try await pane.run("clear; cellophane browse --no-cache --origin \(base)")
      try await pane.waits { $0.contains("amber heron 0") }
      try await pane.press("C-z")
      try await pane.waits { $0.contains("Stopped") }
      try await endJob(in: pane)
    }
  }

  /// Ends the job that has stopped, and waits until it has.
  private func endJob(in pane: Pane) async throws {
    // bash 5.2 does not hear that a process goes on which ends right then: `wait` tells that it is stopped, by 128 and the
    // number of the signal, until it hears of the end.
    try await pane.run("clear; kill %1; while wait %1; s=$?; [ $s -gt 147 ]; do :; done; echo \"ended=$s\"")
    try await pane.waits { $0.contains("ended=130\n") }
  }

  @Test("Without a search, the list is where it was before", .enabled(if: Pane.isPossible))
  func returning() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base)" + Self.epilogue)
      try await pane.waits { $0.contains("amber heron 0") && $0.contains("blank 0 of") }
      try await pane.presses("G") { $0.contains("end of 120 items") && $0.contains("blank 0 of") }
      try await pane.type("/maple")
      try await pane.waits { $0.contains("12 found") && $0.contains("\n maple\n") }
      try await pane.press("Escape")
      try await pane.waits { $0.hasPrefix(" Cellophane") && $0.contains("end of 120 items") }
      try await pane.press("q")
      try await pane.waits { Self.isOver($0, exit: 0) }
    }
  }

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
