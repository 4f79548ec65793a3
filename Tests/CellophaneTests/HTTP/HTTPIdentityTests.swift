@testable internal import Cellophane
internal import CellophaneTesting
internal import Testing

/// A transport that sends fields of its own.
private struct DressedTransport: Transport {
  let inner: ScriptedTransport
  var defaultHeaders: HeaderFields = [:]
  var partition: String?

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    try await inner.exchange(request)
  }
}

@Suite("Whose response it is, and by what it was chosen")
struct HTTPIdentityTests {
  /// Who asks.
  struct Asker: Sendable {
    var headers: HeaderFields = [:]
    var account: String?
  }

  /// Two requests for one URL, and whether the second may be answered with what the first brought.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var first: Asker
    var second: Asker
    var shares: Bool
    var testDescription: String { name }
  }

  private static let ann = Asker(headers: ["Authorization": "1"], account: "ann")

  @Test(arguments: [
    Row(name: "nobody and nobody", first: Asker(), second: Asker(), shares: true),
    Row(name: "ann and nobody", first: ann, second: Asker(), shares: false),
    Row(name: "nobody and ann", first: Asker(), second: ann, shares: false),
    Row(
      name: "ann and ann, with a new token", first: ann,
      second: Asker(headers: ["Authorization": "2"], account: "ann"), shares: true),
    Row(
      name: "ann and ben", first: ann, second: Asker(headers: ["Authorization": "1"], account: "ben"),
      shares: false),
    Row(
      name: "ann and whoever has her token", first: ann, second: Asker(headers: ["Authorization": "1"]),
      shares: false),
    Row(
      name: "a token without an account is never on disk", first: Asker(headers: ["Authorization": "1"]),
      second: Asker(headers: ["Authorization": "1"]), shares: false),
    Row(
      name: "nor is a cookie", first: Asker(headers: ["Cookie": "a=1"]),
      second: Asker(headers: ["Cookie": "a=1"]), shares: false),
    Row(
      name: "nor what a proxy is told", first: Asker(headers: ["Proxy-Authorization": "1"]),
      second: Asker(headers: ["Proxy-Authorization": "1"]), shares: false),
    Row(
      name: "cookies of one account", first: Asker(headers: ["Cookie": "a=1"], account: "ann"),
      second: Asker(headers: ["Cookie": "a=2"], account: "ann"), shares: true),
    Row(
      name: "another language", first: Asker(headers: ["Accept-Language": "de"]),
      second: Asker(headers: ["Accept-Language": "fr"]), shares: false),
    Row(name: "another agent", first: Asker(), second: Asker(headers: ["User-Agent": "x"]), shares: false),
    Row(
      name: "another coding", first: Asker(), second: Asker(headers: ["Accept-Encoding": "br"]),
      shares: false),
    Row(
      name: "another Cache-Control", first: Asker(),
      second: Asker(headers: ["Cache-Control": "max-age=100"]), shares: true),
  ])
  func shares(row: Row) throws {
    let world = HTTPWorld(answers: [
      "Cache-Control: max-age=60 | Vary: Authorization, Cookie, Accept-Language"
    ])
    let requests = try [row.first, row.second, row.first].map { asker throws in
      try Request("http://origin/a", headers: asker.headers, account: asker.account, options: 0)
    }
    let sources = world.time.run {
      var sources: [Source?] = []
      for request in requests { sources.append(try? await world.bytes.load(request).source) }
      return sources
    }
    let isOnDisk = requests[0].key.response.canonicalBytes != nil
    #expect(sources == [.network, row.shares ? .disk : .network, isOnDisk ? .disk : .network])
  }

  /// Loads as two processes would that share a directory, each with the fields that its transport sends: the first,
  /// the second, the first, the second.
  private func sources(
    _ answers: [String], _ first: HeaderFields, _ second: HeaderFields, headers: HeaderFields = [:]
  ) throws -> (got: [String], files: Int, listed: Int, counted: DiskStatistics?)? {
    let world = HTTPWorld(answers: answers)
    let loaders = [first, second].map { fields in
      ByteLoader(
        transport: DressedTransport(inner: world.transport, defaultHeaders: fields),
        disk: DiskCache(
          directory: "/cache", fileSystem: world.files, executor: world.time.lane(),
          timeline: world.bytes.timeline),
        timeline: world.bytes.timeline)
    }
    let request = try HTTPWorld.request(headers)
    return world.time.run {
      var got: [String] = []
      for loader in loaders + loaders {
        let loaded = try? await loader.load(request)
        got.append(loaded.map { "\(String(decoding: $0.bytes, as: UTF8.self)) \($0.source)" } ?? "error")
      }
      let files = world.files.files.keys.count { !$0.contains("/cellophane-") }
      return (got, files, await loaders[0].disk?.list().count ?? 0, await loaders[0].disk?.stats())
    }
  }

  @Test("variants that the transports' own fields choose lie side by side in one directory")
  func sideBySide() throws {
    let (a, b): (HeaderFields, HeaderFields) = (["user-agent": "a", "accept": "*/*"], ["user-agent": "b"])
    let fresh = "Cache-Control: max-age=60"
    for vary in ["User-Agent", "x, USER-AGENT ,y", "Origin | Vary: User-Agent"] {
      let got = try sources(["\(fresh) | Vary: \(vary)"], a, b)
      #expect(got?.got == ["1 network", "2 network", "1 disk", "2 disk"], "\(vary)")
      #expect(got?.listed == 2 && got?.counted?.entries == 2 && got?.counted?.signposts == 1, "\(vary)")
    }
    // So do those that a redirect chooses.
    let redirected = try sources(["\(fresh) | via: 301 | via-vary: User-Agent"], a, b)
    #expect(redirected?.got == ["1 network", "2 network", "1 disk", "2 disk"])
    // What they send alike, or what the origin does not look at, is shared.
    #expect(
      try sources(["\(fresh) | Vary: User-Agent"], a, a)?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    for vary in ["Accept-Encoding", "Origin", "User-Agents, agent"] {
      let got = try sources(["\(fresh) | Vary: \(vary)"], a, b)
      #expect(got?.got == ["1 network", "1 disk", "1 disk", "1 disk"], "\(vary)")
    }
    #expect(try sources([fresh], a, b)?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    // What the request says goes before what the transport would.
    let named = try sources(["\(fresh) | Vary: User-Agent"], a, b, headers: ["User-Agent": "c"])
    #expect(named?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    // One that sends nothing of its own and one that does.
    let bare = try sources(["\(fresh) | Vary: User-Agent"], [:], b)
    #expect(bare?.got == ["1 network", "2 network", "3 network", "2 disk"])
  }

  @Test("no-store leaves nothing of a variant, not even what leads to it")
  func noStore() throws {
    let own: HeaderFields = ["user-agent": "a"]
    let never = "Cache-Control: no-store | Vary: User-Agent"
    #expect(try sources([never], own, own)?.files == 0)
    #expect(try sources(["Vary: User-Agent", "Vary: User-Agent", never], own, own)?.files == 0)
  }

  @Test("what a transport of another partition brought answers nobody")
  func partitions() throws {
    for says in ["Cache-Control: max-age=60", "Cache-Control: max-age=60 | Vary: User-Agent"] {
      let world = HTTPWorld(answers: [says])
      let loaders = [nil, "public", nil, "public", "other"].map { partition in
        ByteLoader(
          transport: DressedTransport(
            inner: world.transport, defaultHeaders: ["user-agent": "a"], partition: partition),
          disk: DiskCache(
            directory: "/cache", fileSystem: world.files, executor: world.time.lane(),
            timeline: world.bytes.timeline),
          timeline: world.bytes.timeline)
      }
      let request = try HTTPWorld.request()
      let got = world.time.run {
        var got: [String] = []
        for loader in loaders {
          let loaded = try? await loader.load(request)
          got.append(loaded.map { "\(String(decoding: $0.bytes, as: UTF8.self)) \($0.source)" } ?? "error")
        }
        return got
      }
      #expect(got == ["1 network", "2 network", "1 disk", "2 disk", "3 network"], "\(says)")
    }
  }

  @Test(
    "each thing that a transport reaches or believes beyond others, or denies, makes a partition of its own")
  func partitionsOfConfigurations() {
    func partition(_ change: (inout CurlTransport.Configuration) -> Void) -> String? {
      var configuration = CurlTransport.Configuration()
      change(&configuration)
      return CurlTransport(configuration).partition
    }
    let partitions = [
      partition { _ in }, partition { $0.deniesPrivateAddresses = true },
      partition { $0.allowsDowngrade = true },
      partition { ($0.deniesPrivateAddresses, $0.allowsDowngrade) = (true, true) },
      partition { $0.caFile = "/none/a.pem" }, partition { $0.caFile = "/none/b.pem" },
      partition { ($0.caFile, $0.allowsDowngrade) = ("/none/a.pem", true) },
      partition { ($0.caFile, $0.deniesPrivateAddresses) = ("/none/a.pem", true) },
    ]
    #expect(Set(partitions).count == partitions.count && partitions[0] == nil, "\(partitions)")
    #expect(partition { $0.caFile = "/" } == partition { $0.caFile = "/usr/.." })
    // The same name in another directory is another file.
    #expect(partition { $0.caFile = "." }?.contains(" /") == true)
  }

  @Test("a variant is validated by its own tag, and is gone when its origin says so")
  func validated() throws {
    let (a, b): (HeaderFields, HeaderFields) = (["user-agent": "a"], ["user-agent": "b"])
    let vary = "Vary: User-Agent"
    #expect(
      try sources(["ETag: \"a\" | \(vary)", "ETag: \"b\" | \(vary)", "304", "304"], a, b)?.got
        == ["1 network", "2 network", "1 disk", "2 disk"])
    let gone = try sources(["\(vary)", "\(vary)", "404", "404"], a, b)
    #expect(gone?.got == ["1 network", "2 network", "error", "error"])
    // The variant of the second, to which nothing leads any more.
    #expect(gone?.files == 1)
  }
}
