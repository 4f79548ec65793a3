@testable internal import Cellophane
internal import CellophaneTesting
internal import TestSupport
internal import Testing

/// A transport that adds header fields and has a partition.
private struct ConfiguredTransport: Transport {
  let inner: ScriptedTransport
  var defaultHeaders: HeaderFields = [:]
  var partition: String?

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    try await inner.exchange(request)
  }
}

@Suite("Identity and selection of responses")
struct HTTPIdentityTests {
  /// The identity and the header fields of a request.
  struct Identity: Sendable {
    var headers: HeaderFields = [:]
    var account: String?
  }

  /// Two requests for one URL, and whether the second may use the response to the first.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var first: Identity
    var second: Identity
    var shares: Bool
    var testDescription: String { name }
  }

  private static let ann = Identity(headers: ["Authorization": "1"], account: "ann")

  @Test(arguments: [
    Row(name: "anonymous, then anonymous", first: Identity(), second: Identity(), shares: true),
    Row(name: "ann, then anonymous", first: ann, second: Identity(), shares: false),
    Row(name: "anonymous, then ann", first: Identity(), second: ann, shares: false),
    Row(
      name: "ann, then ann with a new token", first: ann,
      second: Identity(headers: ["Authorization": "2"], account: "ann"), shares: true),
    Row(
      name: "ann, then ben with the same token", first: ann,
      second: Identity(headers: ["Authorization": "1"], account: "ben"),
      shares: false),
    Row(
      name: "ann, then no account with the same token", first: ann,
      second: Identity(headers: ["Authorization": "1"]),
      shares: false),
    Row(
      name: "a token without an account is never on disk", first: Identity(headers: ["Authorization": "1"]),
      second: Identity(headers: ["Authorization": "1"]), shares: false),
    Row(
      name: "a cookie without an account is never on disk", first: Identity(headers: ["Cookie": "a=1"]),
      second: Identity(headers: ["Cookie": "a=1"]), shares: false),
    Row(
      name: "proxy credentials without an account are never on disk",
      first: Identity(headers: ["Proxy-Authorization": "1"]),
      second: Identity(headers: ["Proxy-Authorization": "1"]), shares: false),
    Row(
      name: "cookies of one account", first: Identity(headers: ["Cookie": "a=1"], account: "ann"),
      second: Identity(headers: ["Cookie": "a=2"], account: "ann"), shares: true),
    Row(
      name: "another language", first: Identity(headers: ["Accept-Language": "de"]),
      second: Identity(headers: ["Accept-Language": "fr"]), shares: false),
    Row(
      name: "another agent", first: Identity(), second: Identity(headers: ["User-Agent": "x"]), shares: false),
    Row(
      name: "another coding", first: Identity(), second: Identity(headers: ["Accept-Encoding": "br"]),
      shares: false),
    Row(
      name: "another Cache-Control", first: Identity(),
      second: Identity(headers: ["Cache-Control": "max-age=100"]), shares: true),
  ])
  func `a response on disk is shared only between requests of one identity`(row: Row) throws {
    let world = HTTPWorld(answers: [
      "Cache-Control: max-age=60 | Vary: Authorization, Cookie, Accept-Language"
    ])
    let requests = try [row.first, row.second, row.first].map { identity throws in
      try Request("http://origin/a", headers: identity.headers, account: identity.account, options: 0)
    }
    let sources = world.time.run {
      var sources: [Source?] = []
      for request in requests { sources.append(try? await world.bytes.load(request).source) }
      return sources
    }
    let isOnDisk = requests[0].key.response.canonicalBytes != nil
    #expect(sources == [.network, row.shares ? .disk : .network, isOnDisk ? .disk : .network])
  }

  /// Loads alternately with two loaders that share a directory, as two processes do. Each transport sends its own
  /// fields.
  private func sources(
    _ answers: [String], _ first: HeaderFields, _ second: HeaderFields, headers: HeaderFields = [:]
  ) throws -> (got: [String], files: Int, listed: Int, counted: DiskStatistics?)? {
    let world = HTTPWorld(answers: answers)
    let loaders = [first, second].map { fields in
      world.base.sibling(through: { ConfiguredTransport(inner: $0, defaultHeaders: fields) }).bytes
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

  @Test("variants selected by the transports' fields coexist in one directory")
  func sideBySide() throws {
    let (a, b): (HeaderFields, HeaderFields) = (["user-agent": "a", "accept": "*/*"], ["user-agent": "b"])
    let fresh = "Cache-Control: max-age=60"
    for vary in ["User-Agent", "x, USER-AGENT ,y", "Origin | Vary: User-Agent"] {
      let got = try sources(["\(fresh) | Vary: \(vary)"], a, b)
      #expect(got?.got == ["1 network", "2 network", "1 disk", "2 disk"], "\(vary)")
      #expect(got?.listed == 2 && got?.counted?.entries == 2 && got?.counted?.varyMarkers == 1, "\(vary)")
    }
    // Variants selected by a redirect do as well.
    let redirected = try sources(["\(fresh) | via: 301 | via-vary: User-Agent"], a, b)
    #expect(redirected?.got == ["1 network", "2 network", "1 disk", "2 disk"])
    // Equal fields, and fields that `Vary` does not name, share one response.
    #expect(
      try sources(["\(fresh) | Vary: User-Agent"], a, a)?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    for vary in ["Accept-Encoding", "Origin", "User-Agents, agent"] {
      let got = try sources(["\(fresh) | Vary: \(vary)"], a, b)
      #expect(got?.got == ["1 network", "1 disk", "1 disk", "1 disk"], "\(vary)")
    }
    #expect(try sources([fresh], a, b)?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    // A field of the request overrides that of the transport.
    let named = try sources(["\(fresh) | Vary: User-Agent"], a, b, headers: ["User-Agent": "c"])
    #expect(named?.got == ["1 network", "1 disk", "1 disk", "1 disk"])
    // The first transport adds no field, the second one does.
    let bare = try sources(["\(fresh) | Vary: User-Agent"], [:], b)
    #expect(bare?.got == ["1 network", "2 network", "3 network", "2 disk"])
  }

  @Test("no-store removes a variant and its Vary marker")
  func noStore() throws {
    let added: HeaderFields = ["user-agent": "a"]
    let never = "Cache-Control: no-store | Vary: User-Agent"
    #expect(try sources([never], added, added)?.files == 0)
    #expect(try sources(["Vary: User-Agent", "Vary: User-Agent", never], added, added)?.files == 0)
  }

  @Test("a response from one partition is not used in another")
  func partitions() throws {
    for answer in ["Cache-Control: max-age=60", "Cache-Control: max-age=60 | Vary: User-Agent"] {
      let world = HTTPWorld(answers: [answer])
      let loaders = [nil, "public", nil, "public", "other"].map { partition in
        world.base.sibling(through: {
          ConfiguredTransport(inner: $0, defaultHeaders: ["user-agent": "a"], partition: partition)
        }).bytes
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
      #expect(got == ["1 network", "2 network", "1 disk", "2 disk", "3 network"], "\(answer)")
    }
  }

  @Test(
    "each combination of address, downgrade and certificate settings has a separate partition")
  func partitionsOfConfigurations() {
    func partition(_ change: (inout CurlTransport.Configuration) -> Void) -> String? {
      var configuration = CurlTransport.Configuration()
      change(&configuration)
      return CurlTransport(configuration).partition
    }
    let partitions = [
      partition { _ in }, partition { $0.addresses = .publicOnly },
      partition { $0.addresses = .publicOnly.allowing("10.1.0.0/16") },
      partition { $0.addresses = .publicOnly.allowing("10.1.0.0/17") },
      partition { $0.addresses = .any.onlyHosts("a.example") },
      partition { $0.allowsDowngrade = true },
      partition { ($0.addresses, $0.allowsDowngrade) = (.publicOnly, true) },
      partition { $0.caFile = "/none/a.pem" }, partition { $0.caFile = "/none/b.pem" },
      partition { ($0.caFile, $0.allowsDowngrade) = ("/none/a.pem", true) },
      partition { ($0.caFile, $0.addresses) = ("/none/a.pem", .publicOnly) },
    ]
    #expect(Set(partitions).count == partitions.count && partitions[0] == nil, "\(partitions)")
    #expect(partition { $0.caFile = "/" } == partition { $0.caFile = "/usr/.." })
    // A relative path becomes absolute: the same name in another directory is another file.
    #expect(partition { $0.caFile = "." }?.contains(" /") == true)
  }

  @Test("a variant is validated with its own tag, and a 404 removes it")
  func validated() throws {
    let (a, b): (HeaderFields, HeaderFields) = (["user-agent": "a"], ["user-agent": "b"])
    let vary = "Vary: User-Agent"
    #expect(
      try sources(["ETag: \"a\" | \(vary)", "ETag: \"b\" | \(vary)", "304", "304"], a, b)?.got
        == ["1 network", "2 network", "1 disk", "2 disk"])
    let removed = try sources(["\(vary)", "\(vary)", "404", "404"], a, b)
    #expect(removed?.got == ["1 network", "2 network", "error", "error"])
    // The second variant remains, without a Vary marker.
    #expect(removed?.files == 1)
  }
}
