internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneTool

@Suite("simulate in virtual time", .timeLimit(.minutes(5)))
struct SimulateTests {
  @Test("equal options have equal fingerprints in every process, for every hash seed of Swift")
  func processes() async throws {
    let room = try Room()
    let command = "cellophane simulate --duration 2 --rows 300 --seed 7 --replicas 2 --quiet --json -"
    var results: [[String: Any]] = []
    for environment in ["", "", "SWIFT_DETERMINISTIC_HASHING=1 "] {
      let ended = try await room.shell(environment + command)
      #expect(ended.exit == 0 && ended.errors.isEmpty, "\(ended)")
      var result = try ended.json()
      result["wall_s"] = nil
      results.append(result)
    }
    #expect((results[0]["fingerprint"] as? String)?.hasPrefix("splitmix64:") == true)
    #expect(results[0]["time"] as? String == "virtual")
    for result in results.dropFirst() {
      #expect("\(result["fingerprint"] ?? "")" == "\(results[0]["fingerprint"] ?? "")")
    }
    // The command in the result repeats it.
    let reproduce = try #require(results[0]["reproduce"] as? String)
    let again = try await room.shell(reproduce + " --quiet --json -").json()
    #expect(again["fingerprint"] as? String == results[0]["fingerprint"] as? String)
    #expect(again["reproduce"] as? String == reproduce)
  }

  @Test(
    "a duration has a unit or is in seconds",
    arguments: [
      ("60", .seconds(60)), ("60s", .seconds(60)), ("1.5", .milliseconds(1_500)),
      ("500ms", .milliseconds(500)),
      ("2m", .seconds(120)), ("2min", .seconds(120)), ("1h", .seconds(3_600)), ("1S", .seconds(1)), ("", nil),
      ("s", nil), ("60x", nil), ("6 0s", nil), ("nan", nil), ("inf", nil), ("1s1", nil), ("1e18s", nil),
      ("1e300", nil), ("-1", .seconds(-1)),
    ] as [(String, Duration?)])
  func times(text: String, duration: Duration?) { #expect(TimeAmount(argument: text)?.duration == duration) }

  @Test("the defaults are a phone in virtual time, whose files have pixels if they are decoded")
  func defaults() throws {
    func configuration(_ words: String...) throws -> SimulationConfiguration {
      try Simulate.parse(words).configuration()
    }
    #expect(try configuration() == .phone)
    #expect(try configuration("--time", "real") == SimulationConfiguration(time: .real))
    #expect(try configuration(#"{"seed": 1}"#) == SimulationConfiguration())
    var decoded = SimulationConfiguration.phone
    (decoded.decoding.mode, decoded.list.bytes) = (.real, .generated)
    #expect(try configuration("--decode", "real") == decoded)
  }

  @Test("the command of a configuration parses to that configuration")
  func command() async throws {
    var configuration = SimulationConfiguration(time: .real)
    configuration.list.rows = 77
    configuration.list.rowHeight = 90
    configuration.list.picture = PixelSize(width: 50, height: 40)
    configuration.list.image = PixelSize(width: 100, height: 80)
    configuration.viewport.size = PixelSize(width: 300, height: 500)
    configuration.gesture.profile = .constant(123.5)
    configuration.viewport.refreshRate = 120
    configuration.duration = .milliseconds(1_250)
    configuration.seed = .max
    configuration.network.profile = try NetworkProfile(parsing: "down=800,rtt=30")
    configuration.cache.memoryBytes = 1
    configuration.cache.diskBytes = 2
    configuration.cache.policy = .wTinyLFU
    configuration.loader.prefetch = .rows(3)
    var reader = configuration
    reader.gesture.profile = .reader
    // No option has this effect.
    reader.gesture.parameters?.flick.median = 321.5
    var grid = SimulationConfiguration()
    grid.list.layout = .grid
    grid.list.columns = 4
    grid.gesture.physics = .iosFast
    grid.list.bytes = .perPixel(Lognormal(median: 1.5, sigma: 0.25))
    grid.list.repeated = RepeatedPictures(pictures: 40, exponent: 0.75)
    grid.origin.fail = 0.005
    grid.origin.slowTail = SimulationConfiguration.Origin.SlowTail(alpha: 1.5, share: 0.02)
    let configurations = [.phone, SimulationConfiguration(), configuration, reader, grid]
    for (expected, words) in zip(configurations, [57, 57, 53, 3, 61]) {
      // Split into words by a shell.
      let printed = try await Room().shell("printf '%s\\n' " + (try #require(expected.command)))
      let command = printed.text.split(separator: "\n").map(String.init)
      #expect(command.count == words)
      #expect(command.prefix(2) == ["cellophane", "simulate"])
      #expect(try Simulate.parse(Array(command.dropFirst(2))).configuration() == expected)
    }
  }

  @Test("a scenario is a file, standard input, JSON text or a result, and options override it")
  func scenario() async throws {
    let room = try Room()
    let json =
      #"{"gesture": {"profile": "reader", "flick": {"median": 800}}, "duration_ms": 2000, "seed": 5, "replicas": 1}"#
    try room.write(lines: [json], as: "scenario.json")
    let suffix = "--seed 6 --quiet --json -"
    var fingerprints: Set<String> = []
    for command in [
      "cellophane simulate scenario.json \(suffix)", "cellophane simulate - \(suffix) < scenario.json",
      "cellophane simulate '\(json)' \(suffix)",
      // A result is the scenario of its run.
      "cellophane simulate scenario.json --quiet --json run.json && cellophane simulate run.json \(suffix)",
      "cellophane simulate scenario.json --quiet --json - | cellophane simulate - \(suffix)",
    ] {
      let ended = try await room.shell(command)
      #expect(ended.exit == 0 && ended.errors.isEmpty, "\(ended)")
      let result = try ended.json()
      fingerprints.insert(result["fingerprint"] as? String ?? "")
      let config = try #require(result["config"] as? [String: Any])
      #expect(config["seed"] as? Int == 6)
      let flick = (config["gesture"] as? [String: Any])?["flick"] as? [String: Any]
      #expect(flick?["median"] as? Double == 800)
      let again = try await room.shell("\(try #require(result["reproduce"] as? String)) --quiet --json -")
        .json()
      fingerprints.insert(again["fingerprint"] as? String ?? "")
    }
    #expect(fingerprints.count == 1)
    for (words, text) in [
      (["{\"seed\": true}"], "seed: must be a whole number"), (["nowhere.json"], "nowhere.json"),
      (
        ["wpt-lte"],
        "cannot read wpt-lte: no such file or directory; for the network of this name, use --network wpt-lte"
      ),
      (["scenario.json", "--hz", "0"], "invalid-arguments: --hz must be from 1 to 240, not 0"),
      (["--density", "4.5"], "invalid-arguments: --density must be from 0.75 to 4, not 4.5"),
      (["--source", "8x20"], "invalid-arguments: the width of --source must be from 16 to 2048, not 8"),
      (["--sweep", "rows=5,0"], "invalid-arguments: --rows must be from 1 to "),
      ([#"{"viewport":{"hz":0}}"#], "viewport.hz: must be from 1 to 240, not 0"),
    ] {
      let refused = try await room.run(["simulate"] + words)
      #expect(refused.exit != 0 && refused.errorLines.count == 1, "\(refused)")
      #expect(refused.errorLines.first?.contains(text) == true, "\(refused)")
    }
  }

  @Test("a recorded scroll is played completely, and the error about an invalid one names its file")
  func log() async throws {
    let room = try Room()
    try room.write(lines: ["t_ms,offset_px", "0,0", "1500,9000", "2000,8000"], as: "scroll.csv")
    let ended = try await room.run(
      "simulate", "--profile", "log:scroll.csv", "--replicas", "1", "--quiet", "--json", "-")
    #expect(ended.exit == 0, "\(ended)")
    let config = try #require(try ended.json()["config"] as? [String: Any])
    #expect(config["duration_ms"] as? Double == 2000)
    #expect((config["gesture"] as? [String: Any])?["profile"] as? String == "log:scroll.csv")
    try room.write(lines: ["0,0", "50"], as: "broken.csv")
    for name in ["broken.csv", "missing.csv"] {
      let refused = try await room.run("simulate", "--profile", "log:\(name)")
      #expect(refused.exit != 0 && refused.errorLines.count == 1, "\(refused)")
      #expect(refused.errors.contains(name), "\(refused)")
    }
  }

  @Test(
    "--requests plays a file or standard input with every policy, and refuses invalid input in one line")
  func requests() async throws {
    let room = try Room()
    try room.write(lines: (0..<300).map { "\($0) \($0 * $0 % 37) 100" }, as: "trace.tr")
    let table = try await room.run(
      "simulate", "--requests", "trace.tr", "--policy", "all", "--sizes", "10%,1kB")
    #expect(table.exit == 0 && table.errors.isEmpty, "\(table)")
    for name in ["lru", "sieve", "s3-fifo", "arc", "w-tinylfu", "Belady"] {
      #expect(table.text.split(separator: "\n").count { $0.contains(name) } == 2, "\(name) in \(table)")
    }
    try room.write(lines: (0..<300).map { "\($0) \($0 * $0 % 37) \(100 + $0 % 2)" }, as: "sizes.tr")
    let bound = try await room.run("simulate", "--requests", "sizes.tr", "--sizes", "10%,1kB")
    #expect(bound.text.split(separator: "\n").count { $0.contains("PFOO-L") } == 2, "\(bound)")
    let json = try await room.shell(
      "cat trace.tr | cellophane simulate --requests - --policy arc --memory 500 --json -")
    #expect(json.exit == 0, "\(json)")
    let sizes = try #require(try json.json()["sizes"] as? [[String: Any]])
    #expect(sizes.count == 1 && sizes[0]["bytes"] as? Int == 500)
    #expect((sizes[0]["policies"] as? [String: Any])?.keys.sorted() == ["arc"])
    try room.write(lines: ["1 2 3", "x"], as: "broken.tr")
    for (words, text) in [
      (["--requests", "broken.tr"], "broken.tr, line 2"), (["--requests", "missing.tr"], "missing.tr"),
      (["--requests", "trace.tr", "--policy", "farthest-row"], "needs the row of each"),
      (["--requests", "trace.tr", "--requests-format", "tsv"], "unknown request format 'tsv'"),
      (["--policy", "all"], "needs --requests"),
    ] {
      let refused = try await room.run(["simulate"] + words)
      #expect(
        refused.exit != 0 && refused.errorLines.count == 1 && refused.errors.contains(text), "\(refused)")
    }
  }

  @Test("virtual time refuses the images of --urls; without --time they are loaded in real time")
  func listedImages() async throws {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/1.png")], as: "urls")
    let refused = try await room.run("simulate", "--time", "virtual", "--urls", "urls")
    #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(refused)")
    try room.write(lines: [origin.url("/1.png"), "", " two  words "], as: "other")
    let other = try await room.run("simulate", "--urls", "other")
    #expect(other.exit == 64 && other.errorLines.count == 1, "\(other)")
    #expect(
      other.errors.contains("--urls: line 3 of other: not an absolute URL: 'two  words'; the file needs"),
      "\(other)")
    let played = try await room.run(
      "simulate", "--urls", "urls", "--duration", "0.2", "--quiet", "--json", "-")
    #expect(try played.exit == 0 && played.json()["time"] as? String == "real", "\(played)")
  }

  @Test("the error about an invalid recorded scroll names its option or its field of the scenario")
  func invalidLog() async throws {
    let room = try Room()
    try room.write(lines: ["0,0", "never,5"], as: "bad.csv")
    try room.write(lines: [], as: "empty.csv")
    for (name, reason) in [("bad.csv", ", line 2: must be a time"), ("empty.csv", " has no samples")] {
      let scenario = try await room.run("simulate", #"{"gesture":{"profile":"log:\#(name)"}}"#)
      #expect(scenario.exit == 64 && scenario.errorLines.count == 1, "\(scenario)")
      #expect(scenario.errors.contains("gesture.profile: \(name)\(reason)"), "\(scenario)")
      let option = try await room.run("simulate", "--profile", "log:\(name)")
      #expect(option.errors.contains(": \(name)\(reason)") && !option.errors.contains("gesture"), "\(option)")
    }
  }

  @Test("a row list is played in virtual time, and an invalid line is refused")
  func rowList() async throws {
    let room = try Room()
    try room.write(
      lines: ["url,height,bytes"] + (0..<30).map { "http://rows.invalid/\($0).jpg,\(90 + $0),4000" },
      as: "rows")
    let words = ["simulate", "--time", "virtual", "--urls", "rows", "--duration", "1", "--replicas", "1"]
    let played = try await room.run(
      words + ["--quiet", "--json", "-", "--html", "r.html", "--trace=t.json"])
    #expect(played.exit == 0, "\(played)")
    let result = try played.json()
    #expect(result["reproduce"] as? String == (["cellophane"] + words).joined(separator: " "))
    let list = try #require((result["config"] as? [String: Any])?["list"] as? [String: Any])
    #expect(list["pictures"] as? String == "listed" && list["rows"] as? Int == 30)
    #expect(list["mean_bytes"] as? Int == 4_000)
    // A list does not change the time of a scenario. With the fields of the default phone, the run is that without a file.
    let phone =
      #"{"time":"virtual","replicas":1,"viewport":{"density":2.625},"gesture":{"physics":"android"},"#
      + #""network":{"preset":"phone-p50","http":2},"list":{"bytes":{"dist":"jpeg"}},"cache":{"memory_bytes":67108864}}"#
    let fromScenario = try await room.run(
      ["simulate", phone] + words.dropFirst(3) + ["--quiet", "--json", "-"])
    #expect(
      try fromScenario.exit == 0
        && fromScenario.json()["fingerprint"] as? String == result["fingerprint"] as? String)
    try room.write(lines: ["http://rows.invalid/1.jpg,120", "http://rows.invalid/2.jpg,high"], as: "rows")
    let refused = try await room.run(words)
    #expect(refused.exit == 64 && refused.errorLines.count == 1, "\(refused)")
    #expect(refused.errors.contains("rows, line 2: the height 'high' is not a whole number"), "\(refused)")
  }

  @Test("the command that repeats a run includes the options for previews")
  func previews() async throws {
    let room = try Room()
    let played = try await room.run(
      "simulate", "--previews", "--progressive", "50%", "--network", "lh-slow4g", "--layout", "cards",
      "--duration", "3", "--replicas", "1", "--quiet", "--json", "-")
    let result = try played.json()
    let command = try #require(result["reproduce"] as? String)
    #expect(command.contains("--previews") && command.contains("--progressive 0.5"), "\(command)")
    let again = try await room.shell(command + " --quiet --json -")
    #expect(try again.json()["fingerprint"] as? String == result["fingerprint"] as? String)
    let metrics = try #require(result["metrics"] as? [String: Any])
    #expect(((metrics["preview_ratio"] as? [String: Any])?["mean"] as? Double ?? 0) > 0)
  }
}
