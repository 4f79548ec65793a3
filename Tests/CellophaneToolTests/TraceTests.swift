internal import Testing

@Suite("simulate over a recorded network", .timeLimit(.minutes(5)))
struct TraceTests {
  static let run = "cellophane simulate --duration 2 --rows 50 --replicas 2 --quiet --json"

  @Test("a result has the rates of its trace, and replays without the file")
  func replay() async throws {
    let room = try Room()
    // 3 Mbit/s for half a second, and nothing for the other half.
    try room.write(lines: (0..<125).map { "\(4 * $0)" } + ["1000"], as: "a.down")
    let first = try await room.shell(
      "\(Self.run) result.json --network trace:a.down,rtt=70 && cat result.json"
    ).json()
    let network = try #require((first["config"] as? [String: Any])?["network"] as? [String: Any])
    #expect(network["preset"] as? String == "trace:a.down,rtt=70" && network["rtt_ms"] as? Double == 70)
    #expect(network["down_kbps"] as? Double == 1_512)
    let trace = try #require(network["trace"] as? [String: Any])
    let rates = try #require(trace["kbps"] as? [Double])
    #expect(rates.count == 50 && Array(rates.prefix(26)) == [Double](repeating: 3_000, count: 25) + [0])
    #expect(trace["period_ms"] as? Double == 1_000)
    let reproduce = try #require(first["reproduce"] as? String)
    #expect(reproduce.contains(" --network trace:a.down,rtt=70 "))
    let repeated = try await room.shell("\(reproduce) --quiet --json -").json()
    #expect(repeated["fingerprint"] as? String == first["fingerprint"] as? String)
    let replayed = try await room.shell("rm a.down && \(Self.run) - result.json").json()
    #expect(replayed["fingerprint"] as? String == first["fingerprint"] as? String)
    let constant = try await room.shell("\(Self.run) - --network down=1512,rtt=70").json()
    #expect(constant["fingerprint"] as? String != first["fingerprint"] as? String)
  }

  @Test(
    "a trace that cannot be used is refused with the reason",
    arguments: [
      ("--network trace:none", "cannot read none: no such file or directory"),
      ("--network trace:bad", "bad, line 2: the time is earlier than the one before it"),
      ("--network trace:good,down=0", "'down=0' of the network is not a number of kbit/s"),
      (#"'{"network": {"preset": "trace:bad"}}'"#, "network.preset: bad, line 2: the time"),
      ("--network trace", "network.trace: is missing; the network 'trace' needs its rates"),
      (
        "--network trace:good --time real",
        "network.preset: in real time the embedded origin has a constant rate"
      ),
    ])
  func refused(options: String, reason: String) async throws {
    let room = try Room()
    try room.write(lines: ["2", "1"], as: "bad")
    try room.write(lines: ["1"], as: "good")
    let ended = try await room.shell("cellophane simulate --duration 1 --rows 20 --replicas 1 \(options)")
    #expect(ended.exit != 0 && ended.errors.contains(reason), "\(ended)")
  }

  @Test("an origin over sockets refuses a trace")
  func origin() async throws {
    let room = try Room()
    try room.write(lines: ["1"], as: "good")
    let ended = try await room.run("origin", "--network", "trace:good", "--rows", "1")
    #expect(
      ended.exit != 0 && ended.errors.contains("has a constant rate; take a network"),
      "\(ended)")
  }
}
