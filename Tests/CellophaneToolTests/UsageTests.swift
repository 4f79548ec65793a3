internal import Testing

@testable internal import CellophaneTool

@Suite("Command line")
struct UsageTests {
  @Test func `the version has three numbers`() async throws {
    let ended = try await Room().run("--version")
    #expect(ended.exit == 0 && ended.errors.isEmpty)
    #expect(ended.text.split(separator: ".").count == 3, "\(ended)")
  }

  @Test func `every command has help`() async throws {
    let room = try Room()
    for command in [
      "fetch", "decode", "prefetch", "browse", "simulate", "advise", "report", "cache", "origin",
    ] {
      let ended = try await room.run(command, "--help")
      #expect(ended.exit == 0 && ended.text.contains("USAGE: cellophane \(command)"), "\(ended)")
      // Defaults have the format of the command line, not that of the Swift type.
      #expect(!ended.text.contains("default: ") || !ended.text.contains("width:"), "\(ended)")
    }
  }

  @Test("an invalid command line has exit code 64 and one line on standard error")
  func refused() async throws {
    let room = try Room()
    let url = "http://127.0.0.1:1/"
    for arguments in [
      ["--nope"], ["nope"], ["fetch"], ["fetch", url, url], ["fetch", url, "--size", "0x0"],
      ["fetch", url, "--size", "1x99999999999"], ["fetch", url, "--size=-1x5"],
      ["fetch", url, "--size", "5x"], ["fetch", url, "--size", "0"], ["fetch", url, "--size", "1x2x3"],
      ["fetch", url, "--size", "99999999999999999999x1"],
      ["fetch", url, "--mode", "stretch"], ["fetch", url, "--timeout=-1"],
      ["fetch", url, "--timeout", "nan"],
      ["fetch", url, "--timeout", "inf"], ["fetch", url, "--max-bytes=-1"],
      ["fetch", url, "--max-bytes", "99999999999999999999"], ["fetch", url, "-H", "no colon"],
      ["fetch", url, "--reload", "--offline"], ["fetch", url, "--allow-private", "--deny-private"],
      ["fetch", url, "--as", "bytes", "--size", "1x1"], ["fetch", url, "--json", "--output", "-"],
      ["fetch", url, "--size", "1x1", "-o", "a.gif"], ["fetch", url, "--size", "1x1", "-o", "a.HEIC"],
      ["fetch", url, "-o", "a.tiff"],
      ["decode"], ["decode", "a", "b", "--rgba", "-"], ["decode", "a", "--output", "a.gif"],
      ["decode", "a.png", "--rgba", "a.png"], ["decode", "a.png", "-o", "a.png"],
      ["decode", "a", "--rgba", "b.png", "-o", "b.png"], ["decode", "a", "--max-pixels", "0"],
      ["decode", "a", "--max-pixels=-5"],
      ["prefetch", "-j", "0"], ["prefetch", "-j", "99999"], ["prefetch", "-j=-1"],
      ["prefetch", "--per-host", "0"], ["prefetch", "--json", "--jsonl", "-"],
      ["prefetch", "--as", "bytes", "--no-cache"], ["cache", "trim"], ["cache", "trim", "--to=-4"],
      ["cache", "trim", "--to", "5XB"], ["cache", "trim", "--to", "b"], ["cache", "trim", "--to", "5bb"],
      ["fetch", url, "--cache-limit", "32767"], ["prefetch", "--cache-limit=-1"],
      ["cache", "stats", "--cache-limit", "1B"], ["fetch", url, "--cache-limit", "much"],
      ["fetch", url, "--ignore-query", ""],
      ["fetch", url, "--ignore-query", "a,,b"], ["fetch", url, "--ignore-query", "h:80:a"],
      ["fetch", url, "--ignore-query", ":a"],
      ["prefetch", "--ignore-query", "h:"], ["prefetch", "--ignore-query", "a=b"],
      ["prefetch", "--ignore-query", "http://h:a"],
      ["fetch", url, "--ignore-header", ""], ["fetch", url, "--ignore-header", "a,,b"],
      ["fetch", url, "--ignore-header", "a: b"], ["prefetch", "--ignore-header", "a b"],
      ["prefetch", "--ignore-header", "Authorization"], ["prefetch", "--ignore-header", "x,Cookie"],
      ["fetch", url, "--ignore-header", "Range"], ["fetch", url, "--ignore-header", "if-none-match"],
      ["simulate", "--image", "0x0"], ["simulate", "--memory", "-2MB"],
      ["simulate", "--memory", "9999999999GB"],
      ["simulate", "--duration", "nan"], ["simulate", "--duration", "60x"], ["simulate", "--duration", "s"],
      ["simulate", "--duration", "1e300h"], ["simulate", "--duration", "1e18s"],
      ["simulate", "--sweep", "memory=1MB,2MB", "--filmstrip", "a.svg"],
      ["simulate", "--calibrate", "--trace", "a"],
      ["simulate", "--seed=-1"], ["simulate", "--policy", "best"], ["advise", "--seed=-1"],
      ["advise", "a", "b"], ["advise", "--html", "a.html"], ["advise", "--prefetch"],
      ["origin", "--port", "x"],
      ["origin", "--port", "99999"], ["origin", "--port=-1"], ["origin", "--rows", "0"],
      ["origin", "--rows", "-1"], ["origin", "--source", "1x1"],
    ] {
      let ended = try await room.run(arguments)
      #expect(ended.exit == 64, "\(arguments): \(ended)")
      if arguments.contains("--json") {
        #expect(try ended.errorKind() == "invalid-arguments", "\(arguments): \(ended)")
      } else {
        #expect(ended.output.isEmpty, "\(arguments): \(ended)")
      }
      #expect(
        ended.errorLines.count == 1 && ended.errors.hasPrefix("cellophane: invalid-arguments: "),
        "\(arguments): \(ended)"
      )
    }
  }

  @Test(
    "an error of the parser says what to do",
    arguments: [
      (["fetch"], "missing argument '<url>'; add it"),
      (["cache", "trim"], "missing option '--to <bytes>'; add it"),
      (["fetch", "http://127.0.0.1:1/", "b"], "unexpected argument 'b'; leave it out"),
      (
        ["fetch", "http://127.0.0.1:1/", "http://127.0.0.1:2/"],
        "unexpected argument 'http://127.0.0.1:2/'; fetch takes one URL; for several use cellophane prefetch"
      ), (["fetch", "http://127.0.0.1:1/", "-o", ""], "--output is empty; name a file"),
      (["prefetch", "-o", ""], "--output is empty; name a directory"),
      (["decode", "a", "--mode", "fill"], "--mode needs --size"),
      (["fetch", "http://127.0.0.1:1/", "--filter", "area"], "--filter needs --size"),
      (["prefetch", "--enlarge"], "--enlarge needs --size"),
      (["prefetch", "--shard-by", "url"], "--shard-by needs --shard"),
      (
        ["prefetch", "--ignore-query", "127.0.0.1:8080:sig"],
        "the value '127.0.0.1:8080:sig' is invalid for '--ignore-query <[host:]name,...>': write names separated by "
          + "commas, such as sig,expires, or HOST:sig,expires for one host, without a port"
      ),
      (
        ["prefetch", "--ignore-header", "x,a b"],
        "--ignore-header: 'a b' is no header name; write names separated by commas, such as traceparent,x-id"
      ),
      (
        ["fetch", "http://127.0.0.1:1/", "--ignore-header", "Cookie"],
        "--ignore-header: 'Cookie' is a credential, a condition or a range, which select the response; leave it out"
      ),
      (
        ["prefetch", "-o", "o", "--names", "../{index}"],
        "--names: invalid template of file names '../{index}': the path must stay within the folder; write a relative "
          + "path without empty parts, '.' and '..'"
      ),
      (["report", "a", "b", "c", "-o", "d"], "2 unexpected arguments: 'b', 'c'; leave them out"),
      (
        ["simulate", "--quiet=5"],
        "the option '--quiet' takes no value, but '5' was given; leave the value out"
      ), (["fetch", "a", "--as", "bytes", "--size", "9"], "--size needs an image; leave out --as bytes"),
    ])
  func advice(arguments: [String], message: String) async throws {
    let ended = try await Room().run(arguments)
    #expect(ended.errors.hasPrefix("cellophane: invalid-arguments: \(message) (see "), "\(ended)")
  }

  @Test("an error refers to the help of its command")
  func help() async throws {
    let room = try Room()
    for (arguments, help) in [
      (["--nope"], "cellophane"), (["nope"], "cellophane"), (["fetch"], "cellophane fetch"),
      (["fetch", "http://127.0.0.1:1/", "--timeout", "0"], "cellophane fetch"),
      (["fetch", "http://127.0.0.1:1/", "--size", "5x"], "cellophane fetch"),
      (["prefetch", "-j", "0"], "cellophane prefetch"), (["cache", "trim"], "cellophane cache trim"),
      (["cache", "nope"], "cellophane cache"),
    ] {
      let ended = try await room.run(arguments)
      #expect(ended.exit == 64 && ended.errors.hasSuffix(" (see \(help) --help)\n"), "\(ended)")
    }
  }

  @Test("an error does not repeat text that may be secret")
  func secrets() async throws {
    let room = try Room()
    let url = "http://127.0.0.1:1/"
    try room.write(lines: ["http://u:geheim%40127.0.0.1:1/", "http://u%3Ageheim%40127.0.0.1/"], as: "list")
    for arguments in [
      ["fetch", url, "-H", "Authorization Bearer geheim"], ["fetch", url, "-H", ":geheim"],
      ["fetch", url, "-H", "Authorization Bearer geheim:1"], ["fetch", "http://u:geheim%40127.0.0.1:1/"],
      ["fetch", "http://u%3Ageheim%40127.0.0.1/", "--json"], ["prefetch", "list"],
      ["prefetch", "list", "--jsonl", "-"],
      ["simulate", "--time", "real", "--urls", "list"],
    ] {
      let ended = try await room.run(arguments)
      #expect(ended.exit != 0 && !ended.errors.isEmpty || arguments.last == "-", "\(arguments): \(ended)")
      #expect(!ended.errors.contains("geheim") && !ended.text.contains("geheim"), "\(arguments): \(ended)")
    }
  }

  @Test("a value that only the command can check is refused in the same way")
  func refusedByCommands() async throws {
    let room = try Room()
    for arguments in [
      ["fetch", ""], ["fetch", "ftp://x/y"], ["fetch", "/a.png"], ["fetch", "http://"],
      ["fetch", "http://127.0.0.1:99999/"], ["fetch", "http://user:secret@127.0.0.1/"],
      ["origin", "--network", "string"], ["simulate", "--rows=-1"],
      ["simulate", "--rows", "99999999999"], ["simulate", "--think", "nan"], ["simulate", "--hz", "0"],
      ["simulate", "--density", "0"], ["simulate", "--density", "nan"], ["simulate", "--density", "-2"],
      ["simulate", "--rows", "-1"], ["simulate", "--duration", "-5"], ["simulate", "--duration", "1e12s"],
      ["simulate", "--think", "1e30"], ["simulate", "--think", "-3"], ["simulate", "--http", "4"],
      ["simulate", "--origins", "0"], ["simulate", "--origins", "65"],
      ["simulate", "--profile", "constant:nan"], ["simulate", "--viewport", "65535x65535"],
      ["simulate", "--prefetch=-1"], ["simulate", "--prefetch", "best"],
      ["simulate", "--row-height", "0"], ["simulate", "--network", "down=-1"],
    ] {
      let ended = try await room.run(arguments)
      #expect(ended.exit == 64 && ended.output.isEmpty, "\(arguments): \(ended)")
      #expect(
        ended.errorLines.count == 1 && ended.errors.hasPrefix("cellophane: invalid-arguments: "),
        "\(arguments): \(ended)")
      #expect(!ended.errors.contains("secret"))
      // The error shows no converted number.
      #expect(!ended.errors.contains("-0.001"), "\(arguments): \(ended)")
    }
  }

  @Test(
    "a negative number is the value of the option before it",
    arguments: [
      ("simulate --rows -1", "simulate --rows=-1"),
      ("simulate --think -.5 --tls", "simulate --think=-.5 --tls"),
      ("prefetch -j -1", "prefetch -j -1"), ("simulate --rows=5 -1", "simulate --rows=5 -1"),
      ("decode -- --odd -5.png", "decode -- --odd -5.png"), ("simulate - --rows 5", "simulate - --rows 5"),
      ("", ""),
    ])
  func negative(words: String, arguments: String) {
    func list(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    #expect(CellophaneTool.arguments(list(words)) == list(arguments))
  }

  @Test("an error names an option without effect")
  func unused() async throws {
    let room = try Room()
    try room.write(lines: ["http://127.0.0.1:1/"], as: "urls")
    try room.write(lines: ["", " "], as: "empty")
    try room.write(lines: ["url,height,bytes", "http://127.0.0.1:1/,120,4000"], as: "sized")
    for (arguments, message) in [
      (["--compare", "a", "b", "--seed", "1"], "--seed does nothing with --compare"),
      (["--validate", "--foresight"], "--foresight does nothing with --validate"),
      (["--calibrate", "--assert", "blank_ratio<5%"], "--assert does nothing with --calibrate"),
      (["--list", "metrics", "--rows", "5"], "--rows does nothing with --list;"),
      (["--list", "metrics", "--json", "a"], "--json does nothing with --list;"),
      (["--requests", "a", "--rows", "5"], "--rows does nothing with --requests"),
      (["--requests", "a", "--speed", "1x"], "--speed does nothing with --requests"),
      (["--requests", "a", "--sizes", "1%", "--memory", "1MB"], "--memory does nothing with --requests"),
      (["{}", "--requests", "a"], "the scenario does nothing with --requests"),
      (["--calibrate", "--network", "wpt-lte"], "--network does nothing with --calibrate"),
      (["--calibrate", "--costs", "a"], "--costs does nothing with --calibrate"),
      (["--validate", "--html", "a.html"], "--html does nothing with --validate"),
      (["--validate", "--time", "real"], "--time does nothing with --validate"),
      (["--sweep", "memory=1,2", "--trace", "a"], "--trace does nothing with --sweep"),
      (["--sweep", "memory=1,2", "--speed", "1x"], "--speed does nothing with --sweep"),
      (["--sensitivity", "--filmstrip", "a"], "--filmstrip does nothing with --sensitivity"),
      (["{}", "--suite", "v1"], "the scenario does nothing with --suite"),
      (["--suite", "v1", "--suite-case", "a"], "--suite-case does nothing with --suite"),
      (["--sizes", "1%"], "--sizes does nothing without --requests"),
      (["--requests-format", "txt"], "--requests-format does nothing without --requests"),
      (["--allow-files"], "--allow-files does nothing without --urls"),
      (["--speed", "2x", "--quiet"], "--speed does nothing with --quiet"),
      (["--speed", "2x", "--no-tui"], "--speed does nothing with --no-tui"),
      (["--time", "real", "--decode", "real"], "--decode does nothing in real time"),
      (["--time", "real", "--speed", "1x"], "--speed does nothing in real time"),
      ([#"{"time": "real"}"#, "--costs", "a"], "--costs does nothing in real time"),
      (["--urls", "urls", "--network", "wpt-lte"], "--network does nothing with --urls"),
      (["--urls", "urls", "--no-tls"], "--tls does nothing with --urls"),
      (
        ["--urls", "urls", "--source", "99x99"],
        "--source does nothing with --urls; leave it out, or use a list with heights and --time virtual\n"
      ), (["--urls", "urls", "--repeat", "zipf:1,5"], "--repeat does nothing with --urls; leave it out\n"),
      (["--urls", "empty"], "--urls: empty has no URLs; write one per line\n"),
      (
        ["--physics", "android", "--profile", "constant:500"],
        "--physics does nothing with the profile constant"
      ),
      (["--physics", "ios", #"{"gesture": {"profile": "constant:9"}}"#], "--physics does nothing with"),
      (["--sweep", "physics=ios,android", "--profile", "constant:500"], "--physics does nothing with"),
      (
        ["--sweep", "profile=constant:5,constant:9", "--sweep", "physics=ios,android"],
        "--physics does nothing with"
      ),
      (["--sweep", "memory=1MB,0", "--memory", "3MB"], "--memory does nothing with --sweep memory"),
      (["--sweep", "previews=yes,maybe"], "--sweep previews: "),
      (["--sweep", "quiet=yes,no"], "--sweep cannot vary 'quiet'"),
      (["--policy", "sieve", "--memory", "0"], "--policy does nothing with --memory 0"),
      (["--policy", "sieve", #"{"cache": {"memory_bytes": 0}}"#], "--policy does nothing with --memory 0"),
      (["--progressive", "0.5"], "--progressive does nothing without --previews"),
      (["--time", "virtual", "--urls", "sized", "--bytes", "bpp:1,0.5"], "--bytes does nothing with a list"),
      (["--calibrate", "--validate"], "--calibrate and --validate are mutually exclusive"),
      (["--requests", "a", "--suite", "v1"], "--requests and --suite are mutually exclusive"),
    ] {
      let ended = try await room.run(["simulate"] + arguments)
      #expect(
        ended.exit == 64 && ended.output.isEmpty && ended.errorLines.count == 1, "\(arguments): \(ended)")
      #expect(ended.errors.contains(": " + message), "\(arguments): \(ended)")
    }
  }

  @Test("a default is shown once")
  func defaults() async throws {
    let help = try await Room().run("simulate", "--help").text.replacing(/\s+/, with: " ")
    let speed = try #require(help.split(separator: "--speed <factor>").last?.prefix(200))
    #expect(speed.ranges(of: "default: max").count == 1, "\(speed)")
  }

  @Test("no file is written twice or overwrites an input")
  func sameFile() async throws {
    let room = try Room()
    try room.write(lines: ["{}"], as: "a")
    try room.write(lines: ["0,0", "100,5"], as: "b.csv")
    for (arguments, message) in [
      (["simulate", "--json", "-", "--html", "-"], "--json and --html both need standard output"),
      (["simulate", "--html", "-", "--trace", "-"], "--html and --trace both need standard output"),
      (["simulate", "--json", "new", "--html", "./new"], "--json and --html name the same file, ./new"),
      (
        ["simulate", "--trace", "new", "--filmstrip", room.path("new")],
        "--trace and --filmstrip name the same"
      ),
      (
        ["simulate", "--json", "n.csv", "--export-requests", "n.csv"],
        "--json and --export-requests name the same"
      ),
      (["simulate", "a", "--json", "a"], "--json would overwrite its input a;"),
      (["simulate", "--compare", "a", "b", "--json", "./a"], "--json would overwrite its input ./a;"),
      (["simulate", "--costs", "a", "--html", "a"], "--html would overwrite its input a;"),
      (["report", "a", "-o", "./a"], "the report would overwrite its input a;"),
    ] {
      let ended = try await room.run(arguments)
      // Only the first case requests the error as an object on standard output.
      let hasObject = arguments.prefix(3) == ["simulate", "--json", "-"]
      #expect(try hasObject ? ended.errorKind() == "invalid-arguments" : ended.output.isEmpty, "\(ended)")
      #expect(ended.exit == 64 && ended.errorLines.count == 1, "\(arguments): \(ended)")
      #expect(ended.errors.contains(message), "\(arguments): \(ended)")
    }
    #expect(try room.bytes(of: "a") == Array("{}".utf8))
  }
}
