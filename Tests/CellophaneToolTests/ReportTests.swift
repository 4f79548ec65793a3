internal import Testing

@Suite("simulate --html, --trace, --export-requests, and report", .timeLimit(.minutes(5)))
struct ReportTests {
  private static let simulate = "cellophane simulate --quiet --duration 3 --rows 300 --replicas 2 --seed 5 "

  @Test("report creates the same page from the JSON as simulate")
  func rebuilt() async throws {
    let room = try Room()
    let played = try await room.shell(Self.simulate + "--json r.json --html r.html --trace r.trace.json")
    #expect(played.exit == 0 && played.output.isEmpty && played.errors.isEmpty, "\(played)")
    for (arguments, name) in [
      (["r.json", "-o", "again.html"], "again.html"), (["r.json", "--output", "-"], nil),
    ] {
      let made = try await room.run(["report"] + arguments)
      #expect(made.exit == 0 && made.errors.isEmpty, "\(made)")
      #expect(try (name.map { try room.bytes(of: $0) } ?? made.output) == room.bytes(of: "r.html"))
    }
    let piped = try await room.shell("cellophane report - -o - < r.json")
    #expect(try piped.exit == 0 && piped.output == room.bytes(of: "r.html"))
    #expect(try object(room.bytes(of: "r.trace.json"))["traceEvents"] is [Any])
  }

  @Test(
    "report creates the same page of a study as simulate",
    arguments: ["--sweep memory=0,4MB --sweep prefetch=none,rows:8", "--sweep hz=30,60"])
  func study(options: String) async throws {
    let room = try Room()
    let command = "cellophane simulate --duration 1 --rows 50 --replicas 2 --network wpt-3gslow \(options)"
    let played = try await room.shell(command + " --quiet --json s.json --html=s.html")
    #expect(played.exit == 0 && played.output.isEmpty && played.errors.isEmpty, "\(played)")
    let made = try await room.run("report", "s.json", "-o", "-")
    #expect(try made.exit == 0 && made.errors.isEmpty && made.output == room.bytes(of: "s.html"), "\(made)")
    #expect(made.text.hasPrefix("<!DOCTYPE html>") && made.text.contains("<svg"))
    // The command omits the options for output.
    let study = try object(room.bytes(of: "s.json"))
    #expect(study["reproduce"] as? String == command)
    #expect((study["config"] as? [String: Any])?["replicas"] as? Int == 2)
  }

  @Test("report writes the numbers as CSV, the table as Markdown and the assertions as JUnit")
  func formats() async throws {
    let room = try Room()
    let assertions = "--assert 'blank_ratio<=100%' --assert 'appearances<1'"
    let played = try await room.shell(Self.simulate + assertions + " --json r.json")
    #expect(played.exit == 4, "\(played)")
    for name in ["r.csv", "r.md", "r.XML"] {
      let made = try await room.run("report", "r.json", "-o", name)
      #expect(made.exit == 0 && made.output.isEmpty && made.errors.isEmpty, "\(made)")
    }
    func text(_ name: String) throws -> String { try String(decoding: room.bytes(of: name), as: UTF8.self) }
    let lines = try text("r.csv").split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(lines.allSatisfy { $0.count == 8 })
    #expect(lines[0] == ["case", "loader", "metric", "unit", "replica", "value", "ci95_low", "ci95_high"])
    let blank = lines.filter { $0[1] == "cellophane" && $0[2] == "blank_ratio" }
    let values = blank.compactMap { Double($0[5]) }
    #expect(blank.map { $0[4] } == ["", "0", "1"] && values[0] == (values[1] + values[2]) / 2, "\(blank)")
    #expect(lines.contains { $0[1] == "oracle" && $0[2] == "blank_ratio" })
    let table = try text("r.md").split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(table.count > 8 && table.allSatisfy { $0.count { $0 == "|" } == 6 }, "\(table)")
    #expect(table.first == "|  | cellophane | naive | on demand | oracle |")
    let junit = try text("r.XML")
    #expect(junit.contains("tests=\"3\" failures=\"1\""), "\(junit)")
    #expect(junit.contains("name=\"appearances&lt;1\"") && junit.contains("<failure type=\"fails\""))
  }

  @Test("report writes the cases of a study as CSV, Markdown and JUnit")
  func studyFormats() async throws {
    let room = try Room()
    let command = "cellophane simulate --quiet --duration 1 --rows 50 --replicas 2 --json s.json"
    let played = try await room.shell(
      command + " --sweep 'prefetch=none;rows:8,2.5' --assert 'blank_ratio<=100%'")
    #expect(played.exit == 0, "\(played)")
    for name in ["s.csv", "s.md", "s.xml"] {
      #expect(try await room.run("report", "s.json", "-o", name).exit == 0)
    }
    func text(_ name: String) throws -> String { try String(decoding: room.bytes(of: name), as: UTF8.self) }
    #expect(try text("s.csv").contains("\r\n\"rows:8,2.5\",cellophane,blank_ratio,1,,"))
    #expect(try text("s.md").contains("| rows:8,2.5 | "))
    #expect(try text("s.xml").contains("tests=\"4\" failures=\"0\""))
    let refused = try await room.run("report", "s.json", "-o", "s.pdf")
    #expect(
      refused.exit == 64 && refused.errors.contains("report writes no .pdf files; name the output"),
      "\(refused)")
  }

  @Test("a page, trace or filmstrip on standard output has no other text around it")
  func standardOutput() async throws {
    let room = try Room()
    let page = try await room.shell("cellophane simulate --duration 1 --replicas 1 --html -")
    #expect(page.exit == 0 && page.text.hasPrefix("<!DOCTYPE html>") && page.text.hasSuffix("</html>\n"))
    let trace = try await room.shell("cellophane simulate --duration 1 --replicas 1 --trace -").json()
    #expect(trace["traceEvents"] is [Any])
    let strip = try await room.shell("cellophane simulate --duration 1 --replicas 1 --filmstrip -")
    #expect(strip.exit == 0 && strip.text.hasPrefix("<svg xmlns=") && strip.text.hasSuffix("</svg>\n"))
  }

  @Test("--export-requests writes the same requests as CSV and as oracleGeneral")
  func requests() async throws {
    let room = try Room()
    let csv = try await room.shell(Self.simulate + "--export-requests r.csv")
    let binary = try await room.shell(Self.simulate + "--export-requests r.bin")
    #expect(csv.exit == 0 && binary.exit == 0, "\(csv) \(binary)")
    let lines = try String(decoding: room.bytes(of: "r.csv"), as: UTF8.self).split(separator: "\n")
      .dropFirst()
    let bytes = try room.bytes(of: "r.bin")
    #expect(lines.count > 20 && bytes.count == 24 * lines.count)
    for (index, line) in lines.enumerated() {
      var key: UInt64 = 0
      for byte in (0..<8).reversed() { key = key << 8 | UInt64(bytes[24 * index + 4 + byte]) }
      #expect(String(key) == line.split(separator: ",")[1])
    }
  }

  @Test("an invalid result file is refused in one line")
  func refused() async throws {
    let room = try Room()
    try room.write(lines: ["{}"], as: "empty.json")
    try room.write(Array("no json".utf8), as: "text.json")
    try room.write(lines: [#"{"schema": "cellophane.study/1", "kind": "sweep"}"#], as: "study.json")
    try room.write(lines: [#"{"schema": "cellophane.compare/1"}"#], as: "compare.json")
    for name in ["empty.json", "text.json", "missing.json", "study.json", "compare.json"] {
      let ended = try await room.run("report", name, "-o", "r.html")
      #expect(ended.exit == 1 && ended.output.isEmpty && ended.errorLines.count == 1, "\(name): \(ended)")
      #expect(throws: (any Error).self) { try room.bytes(of: "r.html") }
    }
    try room.write(lines: [#"{"schema": "cellophane.advice/1"}"#], as: "advice.json")
    let advice = try await room.run("report", "advice.json", "-o", "r.html").errors
    #expect(advice.contains("(advise), which report does not read"), "\(advice)")
    let known = try await room.run("report", "compare.json", "-o", "r.html").errors
    #expect(known.contains("(simulate --compare), which report does not read"), "\(known)")
    #expect(known.contains("'cellophane.simulate/1' or 'cellophane.study/1'"), "\(known)")
    #expect(known.contains("unsupported: compare.json has the schema "), "\(known)")
    try room.write(lines: [#"{"url": "http://a/1"}"#, #"{"url": "http://a/2"}"#], as: "r.jsonl")
    try room.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], as: "row.png")
    for (name, format) in [("r.jsonl", "JSON Lines"), ("row.png", "a PNG image")] {
      let refused = try await room.run("report", name, "-o", "r.html")
      let text = "unsupported: \(name) is \(format), not a result of simulate --json"
      #expect(refused.exit == 1 && refused.errors.contains(text), "\(refused)")
    }
    try room.write(lines: [#"{"schema": "other/1"}"#], as: "other.json")
    let other = try await room.run("report", "other.json", "-o", "r.html").errors
    #expect(
      other.contains("its schema is 'other/1', not 'cellophane.simulate/1' or 'cellophane.study/1'"),
      "\(other)")
    for arguments in [
      ["report"], ["report", "empty.json"], ["simulate", "--export-requests", "r.txt"],
      ["simulate", "--html", "-", "--trace", "-"], ["simulate", "--filmstrip", "-", "--trace", "-"],
    ] {
      let ended = try await room.run(arguments)
      #expect(
        ended.exit == 64 && ended.output.isEmpty && ended.errorLines.count == 1, "\(arguments): \(ended)")
    }
  }
}
