internal import Testing

@Suite("simulate over networks with special properties", .timeLimit(.minutes(5)))
struct NetworkOptionTests {
  static let run = "cellophane simulate --duration 2 --rows 50 --replicas 2 --quiet --json -"

  @Test(
    "each property changes the run, and the command of the result repeats it",
    arguments: [
      "--http 2", "--http 2-fifo", "--http 2-roundrobin", "--http 3", "--origins 3",
      "--network lh-slow4g,queue=300",
      "--network lh-slow4g,queue=codel,loss=1%", "--network wpt-fios,wake=260,sleep=1",
      #"'{"network": {"http": 3, "warm": true}}'"#,
    ])
  func properties(options: String) async throws {
    let room = try Room()
    // A radio sleeps only while nothing is transferred.
    let usual = options.contains("wpt-fios") ? "wpt-fios" : "lh-slow4g"
    let plain = try await room.shell("\(Self.run) --network \(usual) --http 1 --prefetch rows:20").json()
    let network = options.contains("--network") ? "" : " --network lh-slow4g"
    let first = try await room.shell("\(Self.run) \(options)\(network) --prefetch rows:20").json()
    let fingerprint = try #require(first["fingerprint"] as? String)
    #expect(fingerprint != plain["fingerprint"] as? String)
    let reproduce = try #require(first["reproduce"] as? String)
    let repeated = try await room.shell("\(reproduce) --quiet --json -").json()
    #expect(repeated["fingerprint"] as? String == fingerprint, "\(reproduce)")
  }

  @Test(
    "real sockets refuse what they cannot shape",
    arguments: [
      ("--http 3", "network.http: in real time the embedded origin speaks HTTP/1.1"),
      ("--origins 2", "network.origins: in real time there is one embedded origin"),
      ("--network wpt-lte,queue=9", "network.queue: in real time the embedded origin has no queue"),
      ("--network wpt-lte,wake=9", "network.wake_ms: in real time loopback has no radio"),
      (#"'{"network": {"idle_restart": "never"}}'"#, "network.idle_restart: in real time"),
    ])
  func real(options: String, reason: String) async throws {
    let ended = try await Room().shell("cellophane simulate --time real --duration 1 --replicas 1 \(options)")
    #expect(ended.exit != 0 && ended.errors.contains(reason), "\(ended)")
  }

  @Test("an origin refuses a queue and a radio", arguments: ["queue=9", "wake=9"])
  func origin(property: String) async throws {
    let ended = try await Room().run("origin", "--network", "wpt-lte,\(property)", "--rows", "1")
    #expect(ended.exit != 0 && ended.errors.contains("an origin over real sockets has no "), "\(ended)")
  }
}
