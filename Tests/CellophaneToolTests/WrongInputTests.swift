internal import Cellophane
internal import CellophaneTestOrigin
internal import Testing

@Suite("Advice about wrong input", .timeLimit(.minutes(5)))
struct WrongInputTests {
  @Test("a file of the wrong kind is named, with the command or the option that reads it")
  func kinds() async throws {
    let room = try Room()
    try room.write(try testImage(9, 8).encoded(as: .png), as: "9.png")
    try room.write(lines: ["http://127.0.0.1:1/a.png"], as: "list.txt")
    try room.write(lines: ["text"], as: "text")
    try room.write(lines: [#"{"seed":1"#], as: "open.json")
    try room.write(lines: [#"{"seed":true}"#], as: "value.json")
    try room.write(lines: [#"{"schema":"cellophane.simulate/1"}"#], as: "run.json")
    try room.write(lines: [#"{"schema":"cellophane.study/1"}"#], as: "study.json")
    for (words, message) in [
      ("prefetch 9.png", "it is a PNG image, not a list of URLs; to decode it, use cellophane decode"),
      (
        "decode list.txt",
        "only these formats can be decoded; to load a list of URLs, use cellophane prefetch"
      ),
      ("decode text", "; only these formats can be decoded"),
      (
        "simulate list.txt",
        "the scenario list.txt is not JSON; to scroll the images of a list, use --urls list.txt"
      ),
      (
        "simulate text",
        #"the scenario text is not JSON; name a file with a JSON object, such as {"seed": 1}"#
      ),
      ("simulate open.json", "the scenario open.json is not JSON; correct it"),
      ("simulate {seed:1}", #"the scenario is not JSON; write it as in {"seed": 1}"#),
      ("simulate value.json", "invalid-arguments: seed: must be a whole number, 0 or greater"),
      ("simulate run.json", "the scenario run.json is a result without config; correct it"),
      ("simulate study.json", "study.json is a result, not a scenario"),
      (
        "simulate --costs run.json",
        "--costs needs the file that --calibrate --json wrote; run.json is a result"
      ), ("simulate --costs text", "--costs needs the file that --calibrate --json wrote; text is not JSON"),
      (
        "simulate --costs value.json",
        "--costs needs the file that --calibrate --json wrote; "
          + "value.json: seed: must be a whole number, 0 or greater"
      ), ("simulate --requests 9.png", "9.png is a PNG image, not a trace of requests"),
      (
        "simulate --requests open.json",
        "open.json, line 1 looks like JSON, not like a request; the format txt was guessed: "
          + "choose another with --requests-format"
      ),
    ] {
      let ended = try await room.run(words.split(separator: " ").map(String.init))
      #expect(ended.exit == (words.hasPrefix("decode") ? 2 : 64) && ended.errorLines.count == 1, "\(ended)")
      #expect(ended.errors.contains(message + "\n"), "\(ended)")
    }
  }

  @Test("an error about a URL explains files")
  func files() async throws {
    let room = try Room()
    for (url, message) in [
      ("./9.png", "write http://host/path; for a local file, write file:///path"),
      ("ftp://127.0.0.1/a", "unsupported scheme 'ftp'; use http, https or file"),
    ] {
      let ended = try await room.run("fetch", url)
      let option = url.hasPrefix("ftp") ? "; file needs --allow-files\n" : " with --allow-files\n"
      #expect(ended.exit == 64 && ended.errors.hasSuffix(message + option), "\(ended)")
      let allowed = try await room.run("fetch", url, "--allow-files")
      #expect(allowed.exit == 64 && allowed.errors.hasSuffix(message + "\n"), "\(allowed)")
    }
  }

  @Test("an unknown option gets a similar name, otherwise the commands that have it")
  func options() async throws {
    let room = try Room()
    for (words, message) in [
      (["fetch", "--jobs", "3", "http://a/"], "unknown option '--jobs'; it is an option of prefetch (see"),
      (["fetch", "--siez", "3", "http://a/"], "unknown option '--siez'. Did you mean '--size'? (see"),
      (["fetch", "--nothing-like-it", "http://a/"], "unknown option '--nothing-like-it' (see"),
    ] {
      let ended = try await room.run(words)
      #expect(ended.exit == 64 && ended.errors.contains(message), "\(ended)")
    }
  }

  @Test(
    "the limits of --duration have the unit of the option",
    arguments: [("0s", "0"), ("50ms", "0.05"), ("-5", "-5"), ("2000h", "7200000")])
  func duration(value: String, seconds: String) async throws {
    let ended = try await Room().run("simulate", "--duration", value)
    #expect(
      ended.exit == 64
        && ended.errors.hasSuffix(": --duration must be from 0.1 s to 86400 s, not \(seconds) s\n"),
      "\(ended)")
    let scenario = try await Room().run("simulate", #"{"duration_ms": 50}"#)
    #expect(scenario.errors.contains("duration_ms: must be from 100 to 86400000, not 50"), "\(scenario)")
  }

  @Test func `a missing directory of the cache has only a remedy that the command accepts`() async throws {
    let room = try Room()
    for (command, remedy) in [
      ("fetch http://127.0.0.1:1/", ", or use --no-cache\n"), ("cache stats", "with --cache-dir\n"),
    ] {
      let ended = try await room.shell("HOME= XDG_CACHE_HOME=relative cellophane \(command)")
      #expect(ended.exit == 64 && ended.errors.hasSuffix(remedy), "\(ended)")
      #expect(ended.errors.contains("neither XDG_CACHE_HOME nor HOME is an absolute path"), "\(ended)")
    }
  }

  @Test("an unusable cache directory and a status have a remedy, and the object of an error has the status")
  func loads() async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      OriginResponse(status: request.path == "/404" ? 404 : 503)
    }
    for (path, status, advice) in [
      ("/404", 404, "; check the URL"), ("/503", 503, " after 3 attempts; try again later"),
    ] {
      let ended = try await room.run("fetch", origin.url(path), "--json")
      let error = try #require(try ended.json()["error"] as? [String: Any])
      #expect(error["status"] as? Int == status && ended.errors.hasSuffix(advice + "\n"), "\(ended)")
    }
    try room.write([], as: "file")
    let images = try TestOrigin.gallery()
    let kept = try await room.run("fetch", images.url("/8.png"), "--cache-dir", "file")
    let remedy = "; --cache-dir names another directory, --no-cache stores nothing\n"
    #expect(kept.exit == 0 && kept.errors.hasSuffix(remedy), "\(kept)")
    try room.write(lines: [images.url("/8.png")], as: "list")
    let batch = try await room.run("prefetch", "list", "--cache-dir", "file")
    #expect(batch.exit == 2 && batch.text.contains(remedy), "\(batch)")
  }
}
