internal import Cellophane
internal import CellophaneBatch
internal import CellophaneTestOrigin
internal import Foundation
internal import Testing

@testable internal import CellophaneTool

@Suite("The limits of a prefetch run", .timeLimit(.minutes(5)))
struct PrefetchLimitTests {
  @Test(arguments: [
    ("20", 20.0), ("20/s", 20), ("0.5/s", 0.5), ("120/min", 2), ("120/m", 2), ("7200/h", 2),
    ("1e3/s", 1_000),
  ])
  func `a rate is a number and a time`(text: String, perSecond: Double) {
    #expect(RequestRate(argument: text)?.perSecond == perSecond)
  }

  @Test(arguments: [
    "", "/s", "0", "0/s", "-1/s", "nan", "inf/s", "1/0/s", "20/", "20/d", "1/day", "s", "20 /s",
    "1e9/s", "0.01/h",
  ])
  func `another text is no rate`(text: String) { #expect(RequestRate(argument: text) == nil) }

  @Test(arguments: [
    ("500k", 500_000), ("2MB", 2_000_000), ("2mb/s", 2_000_000), ("1MiB/S", 1 << 20), ("100", 100),
  ])
  func `a number of bytes is per second`(text: String, perSecond: Int) {
    #expect(ByteRate(argument: text)?.perSecond == perSecond)
    #expect(ByteRate(argument: "0") == nil && ByteRate(argument: "/s") == nil)
  }

  @Test func `a wrong limit is an error of the command line`() async throws {
    let room = try Room()
    for arguments in [
      ["--tries", "0"], ["--tries", "101"], ["--tries", "x"], ["--rate", "0"], ["--rate", "fast"],
      ["--limit-rate", "0"], ["--limit-rate=-5"], ["--max-time", "0"], ["--max-time=-1s"],
    ] {
      let ended = try await room.run(["prefetch", "list"] + arguments)
      #expect(
        ended.exit == 64 && ended.errors.contains(arguments[0].prefix { $0 != "=" }), "\(ended)")
    }
  }

  @Test(arguments: [1, 2, 7]) func `each record has at most its tries`(tries: Int) async throws {
    let room = try Room()
    let origin = try TestOrigin { request in
      OriginResponse(status: request.path.hasPrefix("/good") ? 200 : 503, body: [1])
    }
    let paths = (0..<8).map { "/good\($0)" } + ["/bad"]
    try room.write(lines: paths.map { origin.url($0) }, as: "list")
    let ended = try await room.run(
      "prefetch", "list", "--as", "bytes", "--no-cache", "-o", "out", "--json", "--tries",
      "\(tries)")
    let json = try ended.json()
    #expect(
      ended.exit == 2 && json["fetched"] as? Int == 8 && json["failed"] as? Int == 1, "\(ended)")
    #expect(
      (min(tries, 2)...tries).contains(origin.requestsByTarget["/bad"] ?? 0),
      "\(origin.requestsByTarget)")
  }

  @Test func `the run ends after its time with exit code 2, and the next run continues`()
    async throws
  {
    let room = try Room()
    let origin = try TestOrigin.gallery()
    try room.write(lines: [origin.url("/8.png"), origin.url("/hangs")], as: "list")
    let arguments = ["prefetch", "list", "--json", "--jsonl", "results"]
    let ended = try await room.run(arguments + ["--max-time", "500ms"])
    #expect(ended.exit == 2 && ended.errors.contains("--max-time"), "\(ended)")
    // The summary counts only records with a result.
    #expect(
      try ended.json()["lines"] as? Int == 1 && objects(lines: room.bytes(of: "results")).count == 1
    )
    try room.write(lines: [origin.url("/8.png")], as: "list")
    let next = try await room.run(arguments + ["--max-time", "1h"])
    #expect(
      try next.exit == 0 && next.errors.isEmpty && next.json()["fresh"] as? Int == 1, "\(next)")
  }

  @Test(arguments: [["--rate", "20/s"], ["--limit-rate", "20kB/s"]])
  func `a run takes the time of its rate`(arguments: [String]) async throws {
    let room = try Room()
    let origin = try TestOrigin { _ in OriginResponse(body: [UInt8](repeating: 7, count: 1_000)) }
    try room.write(lines: (0..<20).map { origin.url("/\($0)") }, as: "list")
    let start = ContinuousClock.now
    let ended = try await room.run(
      ["prefetch", "list", "--as", "bytes", "--no-cache", "-o", "out", "--json", "-j", "2"]
        + arguments)
    // 19 of 20 steps of 50 ms; a limit of bytes does not delay the loads in progress.
    #expect(ContinuousClock.now - start > .milliseconds(800))
    #expect(try ended.exit == 0 && ended.json()["fetched"] as? Int == 20, "\(ended)")
  }

  @Test func `progress names the hosts that a run waits for, and the rate of a host`() {
    let waits = [("slow", Duration.seconds(12)), ("busy", .seconds(3))]
    let throttles = [
      HostThrottle(host: "busy", pause: .seconds(5)), HostThrottle(host: "limited", rate: 17.5),
    ]
    var pace = BatchPace()
    pace.note(records: 0, bytes: 0, share: 0, at: .seconds(10))
    let line = PrefetchStatusLine(BatchSummary(), pace, share: nil, throttles, waits: waits)
    #expect(
      line.text()
        == "0 records  waiting  paused: busy 5 s  waiting for: slow 12 s  slowed: limited to 17.5/s",
      "\(line.text())")
  }
}
