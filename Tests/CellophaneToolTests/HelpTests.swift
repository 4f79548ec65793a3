internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults
internal import Testing

@testable internal import CellophaneTool

@Suite("Help, suggestions and formats of values")
struct HelpTests {
  private static let commands = [
    ["fetch"], ["decode"], ["prefetch"], ["browse"], ["simulate"], ["score"], ["advise"], ["report"],
    ["origin"],
    ["cache"],
    ["cache", "stats"], ["cache", "list"], ["cache", "verify"], ["cache", "trim"], ["cache", "clear"],
  ]

  private func isHeading(_ line: Substring) -> Bool {
    line.last == ":" && line.first != " " && line.uppercased() == line
  }

  /// Returns the lines of a help text by section.
  private func sections(_ help: String) -> [String: [Substring]] {
    var sections: [String: [Substring]] = [:]
    var heading = ""
    for line in help.split(separator: "\n") {
      if isHeading(line) {
        heading = String(line.dropLast())
      } else {
        sections[heading, default: []].append(line)
      }
    }
    return sections
  }

  @Test("the help of every command has an example and groups of at most twelve options")
  func structure() async throws {
    let room = try Room()
    for command in Self.commands {
      let ended = try await room.run(command + ["--help"])
      #expect(ended.exit == 0 && ended.text.contains("\nExamples:\n  cellophane \(command[0])"), "\(ended)")
      #expect(!ended.text.contains("[default"), "\(ended)")
      for (heading, lines) in sections(ended.text) {
        let options = lines.filter { $0.hasPrefix("  -") }
        #expect(options.count <= 12, "\(heading) of \(command)")
      }
    }
  }

  @Test(
    "placeholders show the format of a value",
    arguments: [
      ("fetch", ["--size <WxH>", "--timeout <seconds>", "--max-bytes <bytes>", "--output <file>"]),
      ("prefetch", ["--jobs <n>", "--output <dir>", "--shard <i/n>", "--jsonl <file>"]),
      ("simulate", ["--row-height <px>", "--html <file>", "--think <ms>", "--speed <factor>"]),
    ])
  func placeholders(command: String, expected: [String]) async throws {
    let help = try await Room().run(command, "--help").text
    for placeholder in expected { #expect(help.contains(placeholder), "\(placeholder): \(help)") }
  }

  @Test("the help of simulate starts with the usual options and lists presets, policies and metrics")
  func simulate() async throws {
    let help = try await Room().run("simulate", "--help").text
    let headings = help.split(separator: "\n").filter(isHeading)
    #expect(headings.prefix(2) == ["ARGUMENTS:", "RUN:"] && headings.last == "OPTIONS:", "\(headings)")
    let words = Set(help.split { " ,;:.()\n".contains($0) }.map(String.init))
    for word in [
      "wpt-lte", "dt-slow4g", "unlimited", "farthest-row", "s3-fifo", "landing", "deadline", "skimmer",
      "blank_ratio", "time_to_image", "oracle_gap", "p95",
    ] {
      #expect(words.contains(word), "\(word)")
    }
  }

  @Test("--list metrics defines every metric that --assert accepts, with its unit and its rows in the table")
  func metrics() async throws {
    let ended = try await Room().run("simulate", "--list", "metrics")
    #expect(ended.exit == 0 && ended.errors.isEmpty, "\(ended)")
    let all = ended.text.split(separator: "\n").map(String.init)
    #expect(
      all[0].hasSuffix(
        " Rows without a metric, only in the table of one run: of these, left before image = n_cut_short / n of "
          + "time_to_image; none (row left, load failed) = 1 - hit_ratio.memory - hit_ratio.disk - "
          + "hit_ratio.network."), "\(all[0])")
    let lines = all.dropFirst()
    for number in Assertion.Number.all {
      let name =
        if case .measured(.quantile(let metric, _)) = number {
          metric.rawValue + ".p50 .p75 .p90 .p95"
        } else {
          number.text
        }
      let meaning = lines.firstIndex { $0.hasPrefix(name + " (") }.map { lines[$0 + 1] }
      #expect(meaning?.hasPrefix("    ") == true, "\(number.text)")
    }
    for line in [
      "blank_ratio (share, lower is better) [on screen: blank area (average)]",
      "settle_time.p50 .p75 .p90 .p95 (ms, lower is better) [on screen: complete after start/stop, p50; complete "
        + "after start/stop, p90]",
      "slot_requests (count)", "blank_px_s (px·s, lower is better)", "oracle_gap (share, lower is better)",
    ] {
      #expect(lines.contains(line), "\(line): \(ended)")
    }
  }

  @Test(
    "--list has every name that the options accept, with its meaning",
    arguments: [
      ("networks", "wpt-lte", 25), ("profiles", "skimmer", 6), ("loaders", "nuke", 5),
      ("prefetch", "landing", 9),
      ("policies", "farthest-row", 3), ("cases", "cards/lh-slow4g/browser", 60),
    ])
  func names(kind: String, name: String, count: Int) async throws {
    let room = try Room()
    let ended = try await room.run("simulate", "--list", kind)
    let lines = ended.text.split(separator: "\n")
    #expect(ended.exit == 0 && ended.errors.isEmpty && lines.count == count, "\(ended)")
    #expect(lines.contains { $0.hasPrefix(name) }, "\(ended)")
    let other = try await room.run("simulate", "--list", "nets")
    #expect(other.exit == 64 && other.errors.contains("networks, profiles, loaders, prefetch"), "\(other)")
  }

  @Test(
    "an error about an unknown command suggests the nearest one",
    arguments: [
      (["prefech"], "unknown command 'prefech'. Did you mean 'prefetch'? (see cellophane --help)"),
      (["prefech", "list", "--rate", "5"], "Did you mean 'prefetch'?"),
      (["sim"], "Did you mean 'simulate'?"), (["help", "fecth"], "Did you mean 'fetch'?"),
      (["cache", "stat"], "unknown command 'stat'. Did you mean 'stats'? (see cellophane cache --help)"),
      (["help", "cache", "lst"], "Did you mean 'list'? (see cellophane cache --help)"),
      (["help", "foo"], "unknown command 'foo'; the commands are fetch, decode, prefetch, browse, "),
      (
        ["help", "fetch", "foo"],
        "unknown command 'foo'; cellophane fetch has no commands (see cellophane fetch --help)"
      ),
      (["help", "cache", "trim", "x"], "unknown command 'x'; cellophane cache trim has no commands"),
      (["help", "Fetch"], "Did you mean 'fetch'?"),
      (["help", ""], "unknown command ''; the commands are fetch"),
      (["cache", "remove"], "unknown command 'remove'; the commands are stats, list, verify, trim, clear"),
    ])
  func commands(arguments: [String], message: String) async throws {
    let ended = try await Room().run(arguments)
    #expect(ended.exit == 64 && ended.output.isEmpty && ended.errorLines.count == 1, "\(ended)")
    #expect(
      ended.errors.hasPrefix("cellophane: invalid-arguments: ") && ended.errors.contains(message), "\(ended)")
  }

  @Test("known commands are accepted, also after help")
  func knownCommands() async throws {
    let room = try Room()
    for arguments in [
      ["help"], ["help", "fetch"], ["help", "cache", "stats"], ["cache"], ["cache", "--help"],
    ] {
      let ended = try await room.run(arguments)
      #expect(ended.exit == 0 && ended.text.contains("USAGE: cellophane"), "\(arguments): \(ended)")
    }
  }

  @Test(
    "an error names an unknown option, also if its value looks like another argument",
    arguments: [
      (["prefetch", "list.txt", "--wait", "5"], "--wait"),
      (["prefetch", "list.txt", "--colum", "x"], "--colum"),
      (["prefetch", "-", "--quota", "1M"], "--quota"),
      (["decode", "a.png", "--rgba", "b", "--max-pixel", "5"], "--max-pixel"),
      (["browse", "--origin", "http://127.0.0.1:1", "--dely", "5"], "--dely"),
      (["simulate", "--suite", "v1", "--sed", "5"], "--sed"),
      (["fetch", "http://127.0.0.1:1/", "--siez", "5"], "--siez"),
    ])
  func options(arguments: [String], option: String) async throws {
    let ended = try await Room().run(arguments)
    #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(ended)")
    #expect(ended.errors.hasPrefix("cellophane: invalid-arguments: unknown option '\(option)'"), "\(ended)")
    #expect(ended.errors.hasSuffix(" (see cellophane \(arguments[0]) --help)\n"), "\(ended)")
  }

  @Test(
    "an error about a value states the accepted format",
    arguments: [
      (["fetch", "--size", "5x"], "WIDTHxHEIGHT in pixels, such as 320x240, or one number for a square"),
      (["fetch", "--timeout", "10x"], "seconds, or a number with a unit, such as 10s, 500ms"),
      (["fetch", "--max-bytes", "lots"], "a whole number with an optional unit, such as 500000, 500kB"),
      (["fetch", "--ignore-query", "a=b"], "names separated by commas, such as sig,expires"),
      (["fetch", "--mode", "stretch"], "'fit', 'border', 'fill', 'shortest-side' or 'exact'"),
      (["prefetch", "--shard", "x"], "such as 1/8"), (["prefetch", "-j", "many"], "a whole number"),
      (["simulate", "--policy", "best"], "lru, sieve, s3-fifo, arc, w-tinylfu, farthest-row, all"),
      (["simulate", "--viewport", "wide"], "WIDTHxHEIGHT"),
      (["simulate", "--speed", "0"], "such as 1x, 10x"),
      (["simulate", "--memory", "0.5MB"], "a whole number with"),
      (["simulate", "--sizes", "200%"], "at most 100%, such as 1%,10%"),
      (["simulate", "--seed=-1"], "a whole number from 0 to 18446744073709551615"),
      (["simulate", "--layout", "wall"], "rows, thumbnails, cards, grid, mixed, sections"),
      (["simulate", "--duration", "soon"], "such as 10s, 500ms"),
      (["browse", "--delay", "long"], "a number of milliseconds"),
      (["simulate", "--sweep", "memory=lots"], "a whole number with"),
    ])
  func formats(arguments: [String], format: String) async throws {
    let ended = try await Room().run(arguments)
    #expect(ended.exit == 64 && ended.output.isEmpty && ended.errorLines.count == 1, "\(ended)")
    #expect(ended.errors.contains(format), "\(ended)")
  }

  @Test(
    "a size is two numbers, or one for a square",
    arguments: [
      ("256x128", PixelSize(width: 256, height: 128)), ("256", PixelSize(width: 256, height: 256)),
      ("65535x1", PixelSize(width: 65_535, height: 1)), ("0", nil), ("0x5", nil), ("5x", nil), ("x5", nil),
      ("", nil), ("65536", nil), ("1x2x3", nil), ("-5", nil),
    ] as [(String, PixelSize?)])
  func sizes(text: String, size: PixelSize?) { #expect(PixelSize(argument: text) == size) }

  @Test(
    "a number of bytes has a decimal unit, a binary unit or none",
    arguments: [
      ("500", 500), ("500kB", 500_000), ("2M", 2_000_000), ("1GB", 1_000_000_000), ("1KiB", 1_024),
      ("256MiB", 256 << 20), ("1gi", 1 << 30), ("b", nil), ("5bb", nil), ("5XB", nil), ("", nil),
    ] as [(String, Int?)])
  func byteCounts(text: String, bytes: Int?) { #expect(ByteCount(argument: text)?.bytes == bytes) }

  @Test("defaults are shown in an accepted format")
  func defaults() throws {
    #expect(ByteCount.cacheLimit.defaultValueDescription == "256MiB")
    #expect(ByteCount(argument: "256MiB")?.bytes == ByteCount.cacheLimit.bytes)
    #expect(TimeAmount(.seconds(60)).defaultValueDescription == "60s")
    let fetch = try Fetch.parse(["http://127.0.0.1:1/", "--timeout", "500ms", "--size", "64"])
    #expect(fetch.transfer.connection.timeout.duration == .milliseconds(500))
    #expect(fetch.decoding.size == PixelSize(width: 64, height: 64))
  }

  #if os(Linux)
    /// Returns the completions of bash for the last word of a command line.
    private func completions(_ words: [String], in room: Room) async throws -> [Substring] {
      let quoted = words.map { "'\($0)'" }.joined(separator: " ")
      let ended = try await room.shell(
        """
        exec bash -c 'source <(cellophane --generate-completion-script bash)
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        _cellophane cellophane "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\\n" "${COMPREPLY[@]}"' bash cellophane \(quoted)
        """)
      #expect(ended.exit == 0, "\(ended)")
      return ended.text.split(separator: "\n")
    }

    @Test(
      "shell completion offers files, directories and known values",
      arguments: [
        (["prefetch", "li"], "list.txt"), (["decode", "li"], "list.txt"), (["browse", "li"], "list.txt"),
        (["prefetch", "--jsonl", "li"], "list.txt"), (["fetch", "-o", "li"], "list.txt"),
        (["fetch", "--cacert", "li"], "list.txt"), (["simulate", "--html", "li"], "list.txt"),
        (["simulate", "--urls", "li"], "list.txt"), (["simulate", "li"], "list.txt"),
        (["advise", "li"], "list.txt"),
        (["report", "li"], "list.txt"), (["prefetch", "--output", "fo"], "folder"),
        (["cache", "stats", "--cache-dir", "fo"], "folder"), (["simulate", "--network", "wpt-l"], "wpt-lte"),
        (["simulate", "--policy", "sie"], "sieve"), (["simulate", "--profile", "read"], "reader"),
        (["fetch", "--as", "im"], "image"), (["prefe"], "prefetch"),
        (["advise", "--network", "wpt-l"], "wpt-lte"),
      ])
    func completion(words: [String], expected: String) async throws {
      let room = try Room()
      try room.write([], as: "list.txt")
      _ = try await room.shell("mkdir folder")
      let found = try await completions(words, in: room)
      #expect(found == [Substring(expected)], "\(words): \(found)")
    }
  #endif
}
