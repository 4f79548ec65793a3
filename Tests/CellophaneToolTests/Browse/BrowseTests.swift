internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("browse", .serialized, .timeLimit(.minutes(5)))
struct BrowseTests {
  @Test("Without a terminal, or with one that only has lines, it says so and changes nothing")
  func nowhere() async throws {
    let room = try Room()
    try room.write(lines: ["http://127.0.0.1:1/a.png"], as: "list")
    let piped = try await room.run("browse", "list")
    #expect(piped.exit == 1 && piped.output.isEmpty, "\(piped)")
    #expect(piped.errors.hasPrefix("cellophane: io: ") && piped.errors.contains("terminal"), "\(piped)")
    // What is wrong with the input comes first.
    try room.write([], as: "empty")
    for (input, exit, message) in [
      (["missing"], 1, "io: cannot read missing: no such file"),
      (["empty"], 64, "invalid-request: the list 'empty' has no URL"),
      (["--origin", "gopher://a"], 64, "invalid-request: unsupported scheme 'gopher'"),
    ] {
      let ended = try await room.run(["browse"] + input)
      #expect(
        ended.exit == Int32(exit) && ended.errors.hasPrefix("cellophane: " + message), "\(input): \(ended)")
    }
    for wrong in [
      ["list", "--origin", "http://a"], ["list", "--delay", "5"], ["--delay", "-1"], ["--fail", "2"],
      ["--pixels", "dots"],
    ] {
      let ended = try await room.run(["browse"] + wrong)
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(wrong): \(ended)")
    }
  }

  /// An origin with 120 pictures, a terminal beside it, and a line of shell that browses it and tells how that ended.
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

  /// Has the job that has stopped go on in the foreground, and waits until it draws.
  func goOn(_ pane: Pane) async throws {
    try await pane.run("fg" + Self.epilogue)
    try await pane.waits { $0.contains("amber heron 0") && $0.hasPrefix(" Cellophane") }
    try await pane.waits(modes: "0 1 1")
  }

  /// What tells that the shell has the terminal back, as it was.
  static let epilogue = #"; echo "exit=$?"; stty -a | grep -o ' icanon\| echo '"#

  static func isOver(_ screen: String, exit: Int) -> Bool {
    screen.contains("exit=\(exit)\n") && screen.contains(" icanon\n") && screen.contains(" echo\n")
  }

  @Test("Scroll, search, resize, and quit, in a real terminal", .enabled(if: Pane.isPossible))
  func aVisit() async throws {
    try await session { _, pane, base in
      try await pane.run("cellophane browse --no-cache --check --origin \(base)" + Self.epilogue)
      let first = try await pane.waits { $0.contains("amber heron 0") && $0.contains("blank 0 of 4") }
      #expect(first.hasPrefix(" Cellophane  \(base)") && first.contains("\n heron\n"), "\(first)")
      try await pane.waits(modes: "0 1 1")
      // Fast to the end, page by page.
      for _ in 0..<30 { try await pane.press("PageDown") }
      // The end of what is there moves on until it is the end of the list.
      try await pane.presses("G") { $0.contains("end of 120 items") && $0.contains("blank 0 of") }
      try await pane.press("Home")
      try await pane.waits { $0.contains("amber heron 0") && $0.contains("blank 0 of") }
      // The wheel, as xterm tells of it.
      for _ in 0..<5 { try await pane.type("\u{1B}[<65;10;10M") }
      try await pane.waits { !$0.contains("amber heron 0") && $0.contains("blank 0 of") }

      try await pane.press("/")
      try await pane.type("maple")
      let found = try await pane.waits { screen in
        screen.contains("12 found") && screen.contains("\n maple\n") && screen.contains("blank 0 of")
      }
      #expect(
        found.hasPrefix(" /maple ") && found.contains("\n maple\n") && !found.contains("heron"), "\(found)")
      // The cursor is where one types.
      try await pane.waits(modes: "1 1 1")
      try await pane.press("Enter")
      try await pane.waits { $0.hasPrefix(" /maple ") }
      try await pane.waits(modes: "0 1 1")
      try await pane.press("Escape")
      // Where the wheel had left it.
      try await pane.waits {
        $0.hasPrefix(" Cellophane") && !$0.contains("amber heron 0") && $0.contains("blank 0 of")
      }
      try await pane.press("Home")
      try await pane.waits { $0.contains("amber heron 0") && $0.hasPrefix(" Cellophane") }

      for (columns, lines) in [(20, 5), (5, 2), (1, 1), (200, 50), (100, 30)] {
        try await pane.resize(columns: columns, lines: lines)
        let screen = try await pane.waits { screen in
          switch (columns, lines) {
          case (20, 5): screen.hasPrefix(" Cellophane  http:/…\n heron")
          case (5, 2): screen.hasPrefix(" her…\n hit…")
          case (1, 1): screen.count <= 2
          default: screen.contains("amber heron 0") && screen.contains("blank 0 of")
          }
        }
        let drawn = screen.split(separator: "\n")
        #expect(
          drawn.count <= lines && drawn.allSatisfy { $0.count <= columns }, "\(columns)x\(lines): \(screen)")
      }
      try await pane.press("q")
      let ended = try await pane.waits { Self.isOver($0, exit: 0) }
      #expect(ended.contains(" images checked, 0 in a wrong row") && !ended.contains("heron"), "\(ended)")
      try await pane.waits(modes: "1 0 0")
    }
  }

  @Test(
    "Ctrl-C and SIGTERM give the terminal back as it was; so does Ctrl-Z, for a while",
    .enabled(if: Pane.isPossible))
  func signals() async throws {
    try await session { room, pane, base in
      let line = "sh -c 'echo $$ > pid; exec cellophane browse --no-cache --origin \(base)'" + Self.epilogue
      for end in ["C-c", "TERM", "HUP"] {
        try await pane.run("clear; " + line)
        try await pane.waits { $0.contains("amber heron 0") }
        if end == "C-c" {
          try await pane.press(end)
        } else {
          _ = try await room.shell("kill -\(end) $(cat pid)")
        }
        let screen = try await pane.waits { Self.isOver($0, exit: 130) }
        #expect(
          screen.contains("cellophane: interrupted: stopped by the user; nothing is kept")
            && !screen.contains("heron"), "\(end): \(screen)")
        try await pane.waits(modes: "1 0 0")
      }
      // A fault.
      try await pane.run("clear; " + line)
      try await pane.waits { $0.contains("amber heron 0") }
      _ = try await room.shell("kill -SEGV $(cat pid)")
      try await pane.waits { Self.isOver($0, exit: 128 + Int(SIGSEGV)) }
      try await pane.waits(modes: "1 0 0")

      try await pane.run("clear; cellophane browse --no-cache --origin \(base)")
      try await pane.waits { $0.contains("amber heron 0") }
      // As often as somebody likes.
      for _ in 0..<2 {
        try await pane.press("C-z")
        try await pane.waits { $0.contains("Stopped") }
        try await pane.waits(modes: "1 0 0")
        try await pane.run("clear; stty -a | grep -o ' icanon\\| echo '; echo fore")
        try await pane.waits { $0.contains(" icanon\n") && $0.contains("\nfore\n") }
        try await goOn(pane)
      }
      try await pane.press("q")
      try await pane.waits { Self.isOver($0, exit: 0) }
    }
  }

  @Test(
    "What fails says so at its row and behind the list, and is tried again", .enabled(if: Pane.isPossible))
  func failures() async throws {
    try await session { room, pane, base in
      try await pane.run("cellophane browse --no-cache --origin \(base) --fail 1 --delay 1" + Self.epilogue)
      try await pane.waits { $0.contains(" failed, press r to retry: ") }
      try await pane.press("/")
      try await pane.type("fern")
      try await pane.waits { $0.hasPrefix(" /fern ") && $0.contains("failed, press r to retry: ") }
      try await pane.press("Escape", "q")
      try await pane.waits { Self.isOver($0, exit: 0) }

      // A list from standard input, keys from the terminal; the second picture comes at the second request.
      let pictures = try TestOrigin { request in
        if request.path == "/1.png", request.sequence < 4 { return OriginResponse(status: 404) }
        return OriginResponse(body: (try? picture(64, 64).encoded(as: .png)) ?? [])
      }
      try room.write(lines: (0..<3).map { pictures.url("/\($0).png") }, as: "list")
      try await pane.run("clear; cellophane browse --no-cache - < list" + Self.epilogue)
      let failed = try await pane.waits { $0.contains("blank 1 of 3") && $0.contains("end of 3 items") }
      #expect(failed.contains("failed: ") && failed.contains("404") && failed.contains("××××"), "\(failed)")
      try await pane.press("r")
      try await pane.waits { $0.contains("blank 0 of 3") && !$0.contains("failed") }
      try await pane.press("q")
      try await pane.waits { Self.isOver($0, exit: 0) }
    }
  }

  @Test("A picture at a wrong row is read from its pixels, and exit code 3", .enabled(if: Pane.isPossible))
  func wrongPictures() async throws {
    try await session { room, pane, base in
      _ = try await room.run("fetch", base + "/row/6.png", "--as", "bytes", "--output", "six", "--no-cache")
      let six = try room.bytes(of: "six")
      let liar = try TestOrigin { _ in OriginResponse(body: six) }
      try room.write(lines: [6, 7, 8].map { liar.url("/row/\($0).png") }, as: "list")
      try await pane.run("cellophane browse --no-cache --check list" + Self.epilogue)
      try await pane.waits { $0.contains("blank 0 of 3  wrong 2") }
      try await pane.press("q")
      let ended = try await pane.waits { Self.isOver($0, exit: 3) }
      #expect(ended.contains("3 images checked, 2 in a wrong row"), "\(ended)")
      #expect(ended.contains("cellophane: invariant-broken: 2 images"), "\(ended)")
    }
  }

  @Test(
    "Pixels are well-formed, and within the screen", .enabled(if: Pane.isPossible),
    arguments: ["sixel", "kitty"])
  func pixels(form: String) async throws {
    try await session { room, pane, base in
      try await pane.record(in: "raw")
      try await pane.run("cellophane browse --no-cache --pixels \(form) --origin \(base)" + Self.epilogue)
      try await pane.waits { $0.contains("amber heron 0") && $0.contains("blank 0 of 4") }
      for _ in 0..<3 { try await pane.press("PageDown") }
      try await pane.waits { !$0.contains("amber heron 0") && $0.contains("blank 0 of") }
      try await pane.press("q")
      try await pane.waits { Self.isOver($0, exit: 0) }
      let raw = String(decoding: try room.bytes(of: "raw"), as: UTF8.self)
      // Each begins where the cursor was put, on a line of the list, and ends before the last one.
      let start = form == "sixel" ? "\u{1B}P" : "\u{1B}_G"
      let words = raw.split(separator: start).dropFirst()
      #expect(words.count >= 4 && words.allSatisfy { $0.contains("\u{1B}\\") })
      // What tmux says that a character has.
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
      // What kitty keeps is taken away at the end.
      #expect(form == "sixel" || raw.contains("\u{1B}_Ga=d,d=A,q=2\u{1B}\\"))
    }
  }

  @Test("NO_COLOR and --no-color leave no color on the screen", .enabled(if: Pane.isPossible))
  func colorless() async throws {
    try await session { _, pane, base in
      for (before, after, isColorless) in [
        ("", "", false), ("NO_COLOR=1 ", "", true), ("", " --no-color", true),
      ] {
        try await pane.run(
          "clear; \(before)cellophane browse --no-cache --origin \(base)\(after)" + Self.epilogue)
        try await pane.waits { $0.contains("amber heron 0") && $0.contains("blank 0 of 4") }
        let screen = try await pane.screen(escapes: true)
        let colors = screen.matches(of: /\x1B\[([0-9;]*)m/).flatMap { $0.output.1.split(separator: ";") }
          .compactMap { Int($0) }.filter { (30...38).contains($0) || (40...48).contains($0) || $0 >= 90 }
        #expect(colors.isEmpty == isColorless, "\(before)\(after): \(colors)")
        try await pane.press("q")
        try await pane.waits { Self.isOver($0, exit: 0) }
      }
      try await pane.run("clear; TERM=dumb cellophane browse --origin \(base)" + Self.epilogue)
      try await pane.waits { Self.isOver($0, exit: 1) && $0.contains("TERM is dumb") }
    }
  }
}
