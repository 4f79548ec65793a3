internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("browse", .serialized, .timeLimit(.minutes(5)))
struct BrowseTests {
  @Test("without a terminal, browse ends with an error, after errors of its input")
  func withoutTerminal() async throws {
    let room = try Room()
    try room.write(lines: ["http://127.0.0.1:1/a.png"], as: "list")
    let piped = try await room.run("browse", "list")
    #expect(piped.exit == 1 && piped.output.isEmpty, "\(piped)")
    #expect(piped.errors.hasPrefix("cellophane: io: ") && piped.errors.contains("terminal"), "\(piped)")
    // Errors of the input precede the error about the terminal.
    try room.write([], as: "empty")
    for (input, exit, message) in [
      (["missing"], 1, "io: cannot read missing: no such file"),
      (["empty"], 64, "invalid-arguments: the list 'empty' has no URL"),
      (["--origin", "gopher://a"], 64, "invalid-arguments: unsupported scheme 'gopher'"),
    ] {
      let ended = try await room.run(["browse"] + input)
      #expect(
        ended.exit == Int32(exit) && ended.errors.hasPrefix("cellophane: " + message), "\(input): \(ended)")
    }
    let url = try await room.run("browse", "http://u:secret@127.0.0.1:1/a.png")
    #expect(
      url.exit == 64 && url.errors.contains("use --origin URL for an origin")
        && !url.errors.contains("secret"),
      "\(url)")
    for wrong in [
      ["list", "--origin", "http://a"], ["list", "--delay", "5"], ["--delay", "-1"], ["--fail", "2"],
      ["--pixels", "dots"],
    ] {
      let ended = try await room.run(["browse"] + wrong)
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(wrong): \(ended)")
    }
  }

  /// Runs `body` with an origin of 120 images and a terminal.
  func session(
    columns: Int = 100, lines: Int = 30, _ body: (Room, Pane, _ base: String) async throws -> Void
  ) async throws {
    let room = try Room()
    let origin = try room.start(["origin", "--port", "0", "--rows", "120", "--source", "64x64"])
    let base = String(await origin.firstLine().prefix { $0 != " " })
    var outcome = Result<Void, any Error>.success(())
    do {
      let pane = try await Pane(in: room, columns: columns, lines: lines)
      do { outcome = .success(try await body(room, pane, base)) } catch { outcome = .failure(error) }
      try await pane.end()
    } catch {
      outcome = .failure(error)
    }
    origin.interrupt()
    _ = try await origin.end()
    try outcome.get()
  }

  /// Resumes the stopped job in the foreground, and waits until it draws.
  func resume(_ pane: Pane) async throws {
    try await pane.run("fg" + Self.epilogue)
    try await pane.wait { $0.contains("amber heron 0") && $0.hasPrefix(" Cellophane") }
    try await pane.wait(forModes: "0 1 1")
  }

  /// Shell commands that print the exit code and the modes of the terminal after a run.
  static let epilogue = #"; echo "exit=$?"; stty -a | grep -o ' icanon\| echo '"#

  /// Returns whether the run ended with the exit code and restored the terminal.
  static func hasEnded(_ screen: String, exit: Int) -> Bool {
    screen.contains("exit=\(exit)\n") && screen.contains(" icanon\n") && screen.contains(" echo\n")
  }

  @Test("browse scrolls, searches, resizes and quits in a real terminal", .enabled(if: Pane.isAvailable))
  func allFunctions() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --check --origin \(base)" + Self.epilogue)
      let first = try await pane.wait { $0.contains("amber heron 0") && $0.contains("no image 0 of 4") }
      #expect(first.hasPrefix(" Cellophane  \(base)") && first.contains("\n heron\n"), "\(first)")
      try await pane.wait(forModes: "0 1 1")
      // Quickly to the end, page by page.
      for _ in 0..<30 { try await pane.press("PageDown") }
      // The end of the loaded items moves until the list is complete.
      try await pane.press("G") { $0.contains("end of 120 items") && $0.contains("no image 0 of") }
      try await pane.press("Home")
      try await pane.wait { $0.contains("amber heron 0") && $0.contains("no image 0 of") }
      // The mouse wheel, as xterm reports it.
      for _ in 0..<5 { try await pane.type("\u{1B}[<65;10;10M") }
      try await pane.wait { !$0.contains("amber heron 0") && $0.contains("no image 0 of") }

      try await pane.press("/")
      try await pane.type("maple")
      let found = try await pane.wait { screen in
        // tmux can show a part of a frame: the last lines are then those of the frame before.
        screen.contains("12 found") && !screen.contains("heron") && screen.contains("no image 0 of")
      }
      #expect(found.hasPrefix(" /maple ") && found.contains("\n maple\n"), "\(found)")
      // The cursor is in the search field.
      try await pane.wait(forModes: "1 1 1")
      try await pane.press("Enter")
      try await pane.wait { $0.hasPrefix(" search: maple ") }
      try await pane.wait(forModes: "0 1 1")
      try await pane.press("Escape")
      // The list returns to the position after the wheel.
      try await pane.wait {
        $0.hasPrefix(" Cellophane") && !$0.contains("amber heron 0") && $0.contains("no image 0 of")
      }
      try await pane.press("Home")
      try await pane.wait { $0.contains("amber heron 0") && $0.hasPrefix(" Cellophane") }

      for (columns, lines) in [(20, 5), (5, 2), (1, 1), (200, 50), (100, 30)] {
        try await pane.resize(columns: columns, lines: lines)
        let screen = try await pane.wait { screen in
          switch (columns, lines) {
          case (20, 5): screen.hasPrefix(" Cellophane  http:/…\n heron")
          case (5, 2): screen.hasPrefix(" her…\n cac…")
          case (1, 1): screen.count <= 2
          default: screen.contains("amber heron 0") && screen.contains("no image 0 of")
          }
        }
        let drawn = screen.split(separator: "\n")
        #expect(
          drawn.count <= lines && drawn.allSatisfy { $0.count <= columns }, "\(columns)x\(lines): \(screen)")
      }
      try await pane.press("q")
      let ended = try await pane.wait { Self.hasEnded($0, exit: 0) }
      #expect(ended.contains(" images checked, 0 in a wrong row") && !ended.contains("heron"), "\(ended)")
      try await pane.wait(forModes: "1 0 0")
    }
  }

  @Test(
    "Ctrl-C, SIGTERM, SIGHUP and a crash restore the terminal, and Ctrl-Z does until the job resumes",
    .enabled(if: Pane.isAvailable))
  func signals() async throws {
    try await session { room, pane, base in
      let line = "sh -c 'echo $$ > pid; exec cellophane browse --no-cache --origin \(base)'" + Self.epilogue
      for (end, code) in [("C-c", 130), ("TERM", 143), ("HUP", 130)] {
        try await pane.run("clear; " + line)
        try await pane.wait { $0.contains("amber heron 0") }
        if end == "C-c" {
          try await pane.press(end)
        } else {
          _ = try await room.shell("kill -\(end) $(cat pid)")
        }
        let screen = try await pane.wait { Self.hasEnded($0, exit: code) }
        #expect(
          screen.contains("cellophane: interrupted: stopped by a signal; nothing is kept")
            && !screen.contains("heron"), "\(end): \(screen)")
        try await pane.wait(forModes: "1 0 0")
      }
      // A crash.
      try await pane.run("clear; " + line)
      try await pane.wait { $0.contains("amber heron 0") }
      _ = try await room.shell("kill -SEGV $(cat pid)")
      try await pane.wait { Self.hasEnded($0, exit: 128 + Int(SIGSEGV)) }
      try await pane.wait(forModes: "1 0 0")

      try await pane.run("clear; cellophane browse --no-cache --origin \(base)")
      try await pane.wait { $0.contains("amber heron 0") }
      // More than once.
      for _ in 0..<2 {
        try await pane.press("C-z")
        try await pane.wait { $0.contains("Stopped") }
        try await pane.wait(forModes: "1 0 0")
        try await pane.run("clear; stty -a | grep -o ' icanon\\| echo '; echo fore")
        try await pane.wait { $0.contains(" icanon\n") && $0.contains("\nfore\n") }
        try await resume(pane)
      }
      try await pane.press("q")
      try await pane.wait { Self.hasEnded($0, exit: 0) }
    }
  }

  @Test(
    "a failure is shown at its row or at the end of the list, and can be retried",
    .enabled(if: Pane.isAvailable))
  func failures() async throws {
    try await session { room, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base) --fail 1 --delay 1" + Self.epilogue)
      try await pane.wait { $0.contains(" failed, press r to retry: ") }
      try await pane.press("/")
      try await pane.type("fern")
      try await pane.wait { $0.hasPrefix(" /fern ") && $0.contains("failed, press r to retry: ") }
      try await pane.press("Escape", "q")
      try await pane.wait { Self.hasEnded($0, exit: 0) }

      // A list from standard input, keys from the terminal. The second image is missing in the first requests.
      let images = try TestOrigin { request in
        if request.path == "/1.png", request.sequence < 4 { return OriginResponse(status: 404) }
        return OriginResponse(body: (try? testImage(64, 64).encoded(as: .png)) ?? [])
      }
      try room.write(lines: (0..<3).map { images.url("/\($0).png") }, as: "list")
      try await pane.run("clear; cellophane browse --no-cache - < list" + Self.epilogue)
      let failed = try await pane.wait { $0.contains("no image 1 of 3") && $0.contains("end of 3 items") }
      #expect(failed.contains("failed: ") && failed.contains("404") && failed.contains("××××"), "\(failed)")
      try await pane.press("r")
      try await pane.wait { $0.contains("no image 0 of 3") && !$0.contains("failed") }
      try await pane.press("q")
      try await pane.wait { Self.hasEnded($0, exit: 0) }
    }
  }

  @Test(
    "an image in a wrong row is detected by its pixels and has exit code 3", .enabled(if: Pane.isAvailable))
  func wrongImages() async throws {
    try await session { room, pane, base in
      _ = try await room.run("fetch", base + "/row/6.png", "--as", "bytes", "--output", "six", "--no-cache")
      let six = try room.bytes(of: "six")
      let wrong = try TestOrigin { _ in OriginResponse(body: six) }
      try room.write(lines: [6, 7, 8].map { wrong.url("/row/\($0).png") }, as: "list")
      try await pane.run("cellophane browse --no-cache --check list" + Self.epilogue)
      try await pane.wait { $0.contains("no image 0 of 3  wrong 2") }
      try await pane.press("q")
      let ended = try await pane.wait { Self.hasEnded($0, exit: 3) }
      #expect(ended.contains("3 images checked, 2 in a wrong row"), "\(ended)")
      #expect(ended.contains("cellophane: invariant-broken: 2 images"), "\(ended)")
    }
  }

  @Test(
    "pixel graphics are well-formed and within the screen", .enabled(if: Pane.isAvailable),
    arguments: ["sixel", "kitty"])
  func pixels(form: String) async throws {
    try await session { room, pane, base in
      try await pane.record(in: "raw")
      try await pane.run("cellophane browse --no-cache --pixels \(form) --origin \(base)" + Self.epilogue)
      try await pane.wait { $0.contains("amber heron 0") && $0.contains("no image 0 of 4") }
      for _ in 0..<3 { try await pane.press("PageDown") }
      try await pane.wait { !$0.contains("amber heron 0") && $0.contains("no image 0 of") }
      try await pane.press("q")
      try await pane.wait { Self.hasEnded($0, exit: 0) }
      let raw = String(decoding: try room.bytes(of: "raw"), as: UTF8.self)
      // Each image starts at the cursor, on a line of the list, and ends before the last line.
      let start = form == "sixel" ? "\u{1B}P" : "\u{1B}_G"
      let images = raw.split(separator: start).dropFirst()
      #expect(images.count >= 4 && images.allSatisfy { $0.contains("\u{1B}\\") })
      // The pixels of a character cell in tmux.
      let cell = PixelSize(width: 16, height: 32)
      var shown = 0
      for match in raw.matches(
        of: /\x1B\[(\d+);(\d+)H\x1B(?:P[0-9;]*q"1;1;(\d+);(\d+)|_Ga=p,[^\x1B]*,c=(\d+),r=(\d+))/)
      {
        let numbers = [
          match.output.1, match.output.2, match.output.3 ?? match.output.5 ?? "",
          match.output.4 ?? match.output.6 ?? "",
        ].compactMap { Int($0) }
        guard numbers.count == 4 else { continue }
        let isSixel = form == "sixel"
        let columns = isSixel ? (numbers[2] + cell.width - 1) / cell.width : numbers[2]
        let lines = isSixel ? (numbers[3] + cell.height - 1) / cell.height : numbers[3]
        #expect(
          numbers[0] >= 2 && numbers[0] + lines <= 30 && numbers[1] + columns <= 101, "\(match.output.0)")
        shown += 1
      }
      #expect(shown >= 4)
      // Images that kitty stores are deleted at the end.
      #expect(form == "sixel" || raw.contains("\u{1B}_Ga=d,d=A,q=2\u{1B}\\"))
    }
  }

  @Test("NO_COLOR and --no-color remove all colors", .enabled(if: Pane.isAvailable))
  func colorless() async throws {
    try await session { _, pane, base in
      for (before, after, isColorless) in [
        ("", "", false), ("NO_COLOR=1 ", "", true), ("", " --no-color", true),
      ] {
        try await pane.run(
          "clear; \(before)cellophane browse --no-cache --origin \(base)\(after)" + Self.epilogue)
        try await pane.wait { $0.contains("amber heron 0") && $0.contains("no image 0 of 4") }
        let screen = try await pane.screen(escapes: true)
        let colors = screen.matches(of: /\x1B\[([0-9;]*)m/).flatMap { $0.output.1.split(separator: ";") }
          .compactMap { Int($0) }.filter { (30...38).contains($0) || (40...48).contains($0) || $0 >= 90 }
        #expect(colors.isEmpty == isColorless, "\(before)\(after): \(colors)")
        try await pane.press("q")
        try await pane.wait { Self.hasEnded($0, exit: 0) }
      }
      try await pane.run("clear; TERM=dumb cellophane browse --origin \(base)" + Self.epilogue)
      try await pane.wait { Self.hasEnded($0, exit: 1) && $0.contains("TERM is dumb") }
    }
  }
}
